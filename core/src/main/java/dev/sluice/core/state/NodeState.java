package dev.sluice.core.state;

/** Whether a node takes tasks. */
public enum NodeState {
    /** It takes tasks. */
    READY("ready"),
    /** Taken out by a person: what runs there ends in peace, nothing new starts. */
    OFFLINE("offline");

    private final String word;

    NodeState(String word) {
        this.word = word;
    }

    /** The word that stands for it in files and answers. */
    public String word() {
        return word;
    }
}
