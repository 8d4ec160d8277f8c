// The site that docs/build-site makes from the Markdown files of the repository.
import { defineConfig } from 'vitepress'

const guides = [
  ['Get started', 'get-started'],
  ['Run on one machine', 'run-on-one-machine'],
  ['Run a team server', 'team-server'],
  ['The page', 'page'],
  ['Plan and simulate', 'plan-and-simulate'],
  ['Workloads', 'workloads'],
  ['Embed the engine', 'embed'],
]
const policies = [
  ['Overview', 'index'],
  ['fifo, fair, fewestrunning', 'fifo-fair-fewestrunning'],
  ['stateaware', 'stateaware'],
  ['load', 'load'],
  ['usage', 'usage'],
  ['Node order', 'node-order'],
  ['Quotas and placement', 'quotas-and-placement'],
]
const reference = [
  ['Commands', 'commands'],
  ['Exit codes', 'exit-codes'],
  ['Files and types', 'index'],
  ['Job file', 'job-file'],
  ['Queues', 'queues'],
  ['Snapshot', 'snapshot'],
  ['Workload', 'workload'],
  ['REST', 'rest'],
  ['Metrics', 'metrics'],
  ['Errors', 'errors'],
]
const items = (folder, pages) => pages.map(([text, name]) => ({ text, link: `/docs/${folder}/${name}` }))

export default defineConfig({
  title: 'Sluice',
  description: 'A multi-tenant batch scheduler',
  base: process.env.SITE_BASE ?? '/',
  lang: 'en',
  ignoreDeadLinks: true, // DocumentationStyleTest checks links; some lead to files that are no pages
  markdown: { html: false }, // <placeholders> are text
  vite: { build: { chunkSizeWarningLimit: 4000 } }, // Mermaid is large, and loaded by pages with diagrams alone
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Get started', link: '/docs/guides/get-started' },
      { text: 'All pages', link: '/docs/' },
    ],
    sidebar: [
      { text: 'Guides', items: items('guides', guides) },
      { text: 'Policies', items: items('guides/policies', policies) },
      { text: 'Reference', items: items('reference', reference) },
      {
        text: 'Background',
        items: [
          { text: 'Glossary', link: '/docs/glossary' },
          { text: 'Architecture', link: '/docs/ARCHITECTURE' },
          { text: 'Application states', link: '/docs/application-states' },
          { text: 'Decisions', link: '/docs/decisions/' },
          { text: 'Benchmarks', link: '/benchmarks/' },
          { text: 'Contributing', link: '/CONTRIBUTING' },
          { text: 'Security', link: '/SECURITY' },
          { text: 'Changelog', link: '/CHANGELOG' },
        ],
      },
    ],
  },
})
