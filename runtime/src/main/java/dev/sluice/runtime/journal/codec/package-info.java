/**
 * The journal and checkpoints as bytes.
 *
 * <p>{@link dev.sluice.runtime.journal.codec.BatchEncoder} and {@link dev.sluice.runtime.journal.codec.EntryDecoder} turn entries of the
 * journal into bytes and back, {@link dev.sluice.runtime.journal.codec.StateWriter} and
 * {@link dev.sluice.runtime.journal.codec.StateReader} the parts of a state. Both are made of the same forms of values: what is
 * submitted ({@code TaskCodec}), configurations ({@code ConfigurationCodec}, {@code PropertyCodec}), events ({@code EventCodec}).
 *
 * <h2>A batch</h2>
 *
 * <pre>
 * format (one byte), instant of the batch,
 * entries:  number of events, action, actor, events
 * 0,        check sum (CRC32C of all before, 4 bytes, the lowest first)
 * </pre>
 *
 * <p>An event begins with a number: its kind times 4, plus 1 if it has the instant that was written last, plus 2 if it has the partition
 * of the event before (at first the empty text); then its instant and its partition, where they are not the same, then the rest. A batch says everything itself:
 * it is read without those before it, on whatever thread.
 *
 * <h2>Values</h2>
 *
 * <ul>
 *   <li>A number is written in groups of seven bits, the lowest first, each in a byte whose highest bit says that more follow. Where a
 *       number may be negative it is turned into 2n, or -2n - 1 if it is below 0, beforehand.
 *   <li>A text that is among those known is its number plus 2. Else it is a 0, and it is known from now on, or a 1, if it has more than
 *       256 characters; then twice the number of its {@code char}s, plus 1 if they take two bytes each, then these. Every {@code String} comes
 *       back as it was, broken surrogates too. At first the empty text is known, with the number 0; when 65,536 are known and one
 *       more comes, it begins anew with that one.
 *   <li>An instant is 0 if it is the one that was written last (at first 1970-01-01), else how many seconds later it is, plus 1, and
 *       nanoseconds. Nanoseconds are four times what they are in milliseconds, plus 0, in microseconds, plus 1, or nanoseconds, plus 2.
 *   <li>Amounts and kinds of tasks are their number among those that came before in this batch or checkpoint, plus 1, or 0 and themselves.
 *   <li>A constant of an enum is its number in {@code EnumCodec}.
 *   <li>A record begins with a number whose bits say which of its fields follow; those that do not have their default.
 * </ul>
 *
 * <h2>Later releases</h2>
 *
 * <p>Whatever was written is read for ever, so numbers and bits never change their meaning:
 *
 * <ul>
 *   <li>a new kind of event takes the next number in {@code EventCodec};
 *   <li>a new constant of an enum takes the next number in {@code EnumCodec};
 *   <li>a new field of a record that begins with bits takes the next bit, and what was written without it has the default;
 *   <li>a new field of an event that has no bits makes it another kind: it is written under a new number, and the old one is still read;
 *   <li>whatever else changes makes a new format; the old one is still read.
 * </ul>
 *
 * <p>An older release that meets something new says so, and stops.
 *
 * <h2>Damage</h2>
 *
 * <p>A wrong check sum is found before anything is read. Even with a right one nothing that is read is trusted: no number makes
 * room for more than there are bytes, and nothing goes deeper than {@code ConfigurationCodec} allows.
 */
package dev.sluice.runtime.journal.codec;
