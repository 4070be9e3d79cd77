import { Effect, Layer, Option, Sink, Stdio, Stream } from "effect"
import { isObject } from "../../platform/http/document/Schemas.ts"
import { ownText, utf8Option } from "../../platform/text/Utf8.ts"
import { decodeJson } from "./Json.ts"
import { withPlainErrors } from "./JsonRpcErrors.ts"

const failure = (code: number, message: string) =>
  `${JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } })}\n`

/** The answer to a line that is not a message, as JSON-RPC has it; undefined if the library should read it. */
const answerTo = (line: string): string | undefined =>
  Option.match(decodeJson(line), {
    onNone: () => failure(-32_700, "Parse error"),
    onSome: (read) => isObject(read) || Array.isArray(read) ? undefined : failure(-32_600, "Invalid Request")
  })

/** The output, line by line, with errors as JSON-RPC has them. */
const plainLines = (written: string | Uint8Array): string =>
  (typeof written === "string" ? written : ownText(written)).split("\n").map(withPlainErrors).join("\n")

/**
 * Standard input without its broken lines; each of these gets an answer. The library drops the text that came along
 * with a broken line, tells the client nothing, and listens again half a second later.
 */
export const StandardLinesLayer = Layer.effect(
  Stdio.Stdio,
  Effect.map(Stdio.Stdio, (stdio) =>
    Stdio.make({
      ...stdio,
      stdout: (options) => Sink.mapInput(stdio.stdout(options), plainLines),
      stdin: stdio.stdin.pipe(
        // A letter for each byte, so that a line that is not UTF-8 is a broken line and no other text.
        Stream.map((bytes) => Buffer.from(bytes).toString("latin1")),
        Stream.splitLines,
        Stream.map((line) => Option.getOrElse(utf8Option(Buffer.from(line, "latin1")), () => "not UTF-8")),
        Stream.filter((line) => line.trim() !== ""),
        Stream.filterEffect((line) => {
          const answer = answerTo(line)
          return answer === undefined
            ? Effect.succeed(true)
            : Effect.as(Stream.run(Stream.make(answer), stdio.stdout()), false)
        }),
        Stream.map((line) => `${line}\n`),
        Stream.encodeText
      )
    }))
)
