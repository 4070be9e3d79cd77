import { Effect, Option, Schema, Stream } from "effect"

// The only places where bytes become text: nothing is read in place of a byte that is not UTF-8. A test
// (test/project/source.test.ts) finds every other one.

// A byte order mark at the start of Turma's own text is a character that a person entered.
const whole = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const withoutMark = new TextDecoder("utf-8", { fatal: true })

/** The text of bytes that Turma has written itself. Throws a `TypeError` if they are not UTF-8, which is a defect. */
export const ownText = (bytes: Uint8Array): string => whole.decode(bytes)

/** The text of bytes from elsewhere, without a byte order mark; `None` if they are not UTF-8. */
export const utf8Option: (bytes: Uint8Array) => Option.Option<string> = Option.liftThrowable((bytes) =>
  withoutMark.decode(bytes)
)

/** The bytes are not UTF-8. */
export class NotUtf8 extends Schema.TaggedError<NotUtf8>()("NotUtf8", {}) {
  override readonly message = "It is not UTF-8 text"
}

/** The text of bytes from elsewhere. */
export const decodeUtf8 = (bytes: Uint8Array): Effect.Effect<string, NotUtf8> =>
  Effect.fromOption(utf8Option(bytes)).pipe(Effect.mapError(() => new NotUtf8()))

/** The text of the body of a request or a response. */
export const bodyText = <E, R>(
  message: { readonly arrayBuffer: Effect.Effect<ArrayBuffer, E, R> }
): Effect.Effect<string, E | NotUtf8, R> =>
  Effect.flatMap(message.arrayBuffer, (bytes) => decodeUtf8(new Uint8Array(bytes)))

/** The text of a stream, whose chunks may split a character. Fails with this if it is not UTF-8. */
export const streamText = <E, R, NotText>(
  stream: Stream.Stream<Uint8Array, E, R>,
  notText: () => NotText
): Stream.Stream<string, E | NotText, R> =>
  Stream.suspend(() => {
    const decoder = new TextDecoder("utf-8", { fatal: true })
    const decoded = (bytes?: Uint8Array) =>
      Effect.try({
        try: () => bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true }),
        catch: notText
      })
    return Stream.concat(Stream.mapEffect(stream, decoded), Stream.fromEffect(Effect.suspend(decoded)))
  })

/**
 * Bytes from elsewhere for a person to look at: UTF-8 if valid, otherwise Latin-1, in which each byte is a letter.
 * `isCut`: they may end within a letter, which is then dropped.
 */
export const shownText = (bytes: Uint8Array, { isCut = false } = {}): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isCut })
  } catch {
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")
  }
}
