/**
 * The binary format of the journal and of checkpoints.
 *
 * <p>{@link dev.sluice.runtime.journal.codec.BatchEncoder} and {@link dev.sluice.runtime.journal.codec.EntryDecoder}
 * encode and decode journal entries, {@link dev.sluice.runtime.journal.codec.StateWriter} and
 * {@link dev.sluice.runtime.journal.codec.StateReader} the parts of a state. They share the codecs of submissions
 * ({@code TaskCodec}), configurations ({@code ConfigurationCodec}, {@code PropertyCodec}) and events
 * ({@code EventWriter}, {@code EventReader}).
 *
 * <h2>A batch</h2>
 *
 * <pre>
 * format (one byte), instant of the batch,
 * entries:  number of events, action, actor, events
 * 0,        checksum (CRC32C of all bytes before it, 4 bytes, little-endian)
 * </pre>
 *
 * <p>An event begins with a number: its kind times 4, plus 1 if its instant equals the one written last, plus 2 if its
 * partition equals that of the event before (initially the empty text). Its instant and its partition follow unless
 * they are equal, then the other fields. A batch is self-contained: it can be decoded on any thread without the batches
 * before it.
 *
 * <h2>Values</h2>
 *
 * <ul>
 *   <li>A number is written in groups of seven bits, the lowest first, each in a byte whose highest bit indicates that
 *     more follow (LEB128). A number that may be negative is zigzag-encoded first: 2n, or -2n - 1 if it is below 0.
 *   <li>A text in the dictionary is written as its number plus 2. Any other text begins with 0 if it is added to the
 *     dictionary, or with 1 if it has more than 256 characters; then follow twice the number of its {@code char}s, plus
 *     1 if they take two bytes each, and the characters. Every {@code String} is preserved exactly, including unpaired
 *     surrogates. Initially the dictionary contains the empty text, with the number 0; a text added to a full
 *     dictionary of 65,536 clears it first.
 *   <li>An instant is 0 if it equals the one written last (initially 1970-01-01), otherwise the difference in seconds,
 *     plus 1, and the nanoseconds. Nanoseconds are four times their value in milliseconds, plus 0, in microseconds,
 *     plus 1, or in nanoseconds, plus 2.
 *   <li>Resources and task kinds are their number among those written before in this batch or checkpoint, plus 1, or 0
 *     and their value.
 *   <li>The origin of an application is its number among those written before, plus 1, or 0, its queue, its user and
 *       the time from its submission to the event.
 *   <li>An event of a run has application, specification, index plus 1 (0 for a single task), twice the number of the
 *       run plus 1 if it has started, node, origin, the time since its allocation (not in a placement), and the time
 *       since its start, if any; then its own fields.
 *   <li>An enum constant is its number in {@code EnumCodec}.
 *   <li>A record begins with a number whose bits state which of its fields follow; the others have their defaults.
 * </ul>
 *
 * <h2>Compatibility</h2>
 *
 * <p>All data remains readable by later releases, so numbers and bits never change their meaning:
 *
 * <ul>
 *   <li>a new kind of event takes the next number in {@code EventFormat};
 *   <li>a new enum constant takes the next number in {@code EnumCodec};
 *   <li>a new field of a record with presence bits takes the next bit; records written without it have the default;
 *   <li>a new field of an event without presence bits requires a new kind of event; the old number remains readable;
 *   <li>any other change requires a new format version; the old one remains readable.
 * </ul>
 *
 * <p>Format 1 has no origins; its events of tasks have only application, specification and index (0 for a single task),
 * and a placement its node at the end. Their events are read with unknown origins and runs.
 *
 * <p>Applying an event uses neither its origin nor its run, except the task and the node of a placement. A replay
 * therefore skips them: it decodes all events as if they were of format 1. A skipped text remains in the dictionary and
 * is read when another text refers to it.
 *
 * <p>An older release that reads an unknown number, bit or version reports an error.
 *
 * <h2>Damage</h2>
 *
 * <p>The checksum of a batch is verified before it is decoded. Input is untrusted even if its checksum is correct: no
 * declared length allocates more memory than there are bytes, and nesting is limited by {@code ConfigurationCodec}.
 */
package dev.sluice.runtime.journal.codec;
