{{- define "sluice.name" -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "sluice.labels" -}}
{{ include "sluice.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "sluice.selector" -}}
app.kubernetes.io/name: sluice
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "sluice.serviceAccount" -}}
{{ .Values.serviceAccount.name | default (include "sluice.name" .) }}
{{- end }}

{{- define "sluice.configNamespace" -}}
{{ .Values.config.namespace | default .Release.Namespace }}
{{- end }}

{{- /* Fails for combinations that the schema cannot express. */ -}}
{{- define "sluice.check" -}}
{{- if and (not .Values.data.persistent) (not .Values.database.url) }}
{{- fail "data.persistent: false loses the journal with the pod: set database.url, or data.persistent to true" }}
{{- end }}
{{- if and .Values.database.url (not .Values.database.passwordSecret.name) }}
{{- fail "database.url requires database.passwordSecret.name: the name of a secret with the password" }}
{{- end }}
{{- if and (gt (int .Values.replicas) 1) (or .Values.data.persistent (not .Values.database.url)) }}
{{- fail "replicas above 1 share their journal: set database.url, and data.persistent to false" }}
{{- end }}
{{- $own := list .Release.Namespace (include "sluice.configNamespace" .) }}
{{- if and .Values.tasks.namespace (has .Values.tasks.namespace $own) }}
{{- fail "tasks.namespace must be a namespace of its own: tasks can read all secrets and config maps in it" }}
{{- end }}
{{- if and .Values.tasks.serviceAccounts (not .Values.tasks.namespace) }}
{{- fail "tasks.serviceAccounts requires tasks.namespace" }}
{{- end }}
{{- if and .Values.admission.enabled (semverCompare "<1.36.0-0" .Capabilities.KubeVersion.Version) }}
{{- fail "admission.enabled requires Kubernetes 1.36: earlier versions have no MutatingAdmissionPolicy" }}
{{- end }}
{{- if and .Values.podMonitor.enabled (not .Values.tls.secretName) }}
{{- fail "podMonitor.enabled requires tls.secretName: without TLS the server listens on the loopback address only" }}
{{- end }}
{{- if and .Values.podMonitor.enabled (not .Values.podMonitor.tokenSecret.name) }}
{{- fail "podMonitor.enabled requires podMonitor.tokenSecret.name: the server answers only callers with a token" }}
{{- end }}
{{- end }}

{{- /* A probe of a health route, by TLS or from inside the pod. The list has the context and the route. */ -}}
{{- define "sluice.probe" -}}
{{- $context := index . 0 -}}
{{- if $context.Values.tls.secretName -}}
httpGet:
  scheme: HTTPS
  port: https
  path: /api/v1/{{ index . 1 }}
  httpHeaders:
    - name: Host
      value: localhost
{{- else -}}
# exit code 1 is a server that runs and has a problem which a restart does not solve
exec:
  command: [sh, -c, "sluice health >/dev/null || [ $? -eq 1 ]"]
{{- end -}}
{{- end }}

{{- define "sluice.admission.namespaces" -}}
matchLabels:
  sluice.dev/schedule: enabled
matchExpressions:
  - key: kubernetes.io/metadata.name
    operator: NotIn
    values: [kube-node-lease, kube-public, kube-system, {{ .Release.Namespace }}]
{{- end }}

{{- /* Pods that name their node are not scheduled: static pods, and tasks of Sluice. */ -}}
{{- define "sluice.admission.unbound" -}}
- name: needs-a-node
  expression: >-
    request.kind.kind != "Pod" || request.operation != "CREATE" || !has(object.spec.nodeName)
    || object.spec.nodeName == ""
{{- end }}

{{- /* Controllers that create pods from templates, which only the policies for templates can check. */ -}}
{{- define "sluice.admission.controllers" -}}
{{- $users := list "system:kube-controller-manager" -}}
{{- range list "cronjob-controller" "daemon-set-controller" "deployment-controller" "job-controller"
    "replicaset-controller" "replication-controller" "statefulset-controller" -}}
{{- $users = append $users (printf "system:serviceaccount:kube-system:%s" .) -}}
{{- end -}}
{{ concat $users .Values.admission.trustedUsers | toJson }}
{{- end }}

{{- /* The annotation has the form of YuniKorn's. */ -}}
{{- define "sluice.admission.variables" -}}
- name: isTrusted
  expression: >-
    request.userInfo.username in {{ include "sluice.admission.controllers" . }}
- name: requester
  expression: >-
    '{"user":' + strings.quote(request.userInfo.username) + ',"groups":['
    + (has(request.userInfo.groups) ? request.userInfo.groups.map(group, strings.quote(group)).join(",") : "") + "]}"
{{- end }}
