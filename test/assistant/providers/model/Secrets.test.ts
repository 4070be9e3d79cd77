import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Logger, References, Tracer } from "effect"
import { inspect } from "node:util"
import { Assistant } from "../../../../src/assistant/providers/Assistant.ts"
import {
  answering,
  anthropicWire,
  type ModelAnswer,
  openAiWire,
  startModelServer
} from "../../../harness/ModelServer.ts"
import { assistantAt, heard, key, question } from "./Questions.ts"

const providers = [["anthropic", anthropicWire], ["openai", openAiWire]] as const

const secret = "um segredo do aluno"
const asked = { ...question, content: `Como? ${secret}` }

/** All logs and traces as text, with everything attached to them except successful results, which are not exported. */
const watching = () => {
  const logged: Array<unknown> = []
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const logger = Logger.make(({ cause, message }) => {
    logged.push(message, cause)
  })
  const traced = () =>
    spans.map(({ attributes, events, name, status }) => {
      const failure = status._tag === "Ended" && Exit.isFailure(status.exit) ? status.exit.cause : null
      return { name, attributes: [...attributes], events, failure }
    })
  const asText = (all: unknown) => inspect(all, { depth: 20, maxStringLength: null, maxArrayLength: null })
  return {
    /** Includes everything attached to a failure. */
    whole: () => asText([logged, traced()]),
    /** The exported parts. */
    exported: () =>
      asText([
        logged,
        traced().map(({ failure, ...span }) => [span, failure && Cause.prettyErrors(failure).map(String)])
      ]),
    names: () => spans.map(({ name }) => name),
    layer: Layer.mergeAll(
      Layer.succeed(Tracer.Tracer, tracer),
      Layer.succeed(References.MinimumLogLevel, "Trace"),
      Logger.layer([logger])
    )
  }
}

// Like providers, this refusal repeats the key.
const wrongKey: ModelAnswer = {
  status: 401,
  headers: { "x-echo": key },
  pieces: [JSON.stringify({ error: { type: "authentication_error", message: `Incorrect API key provided: ${key}` } })]
}

describe.each(providers)("asking a model of %s", (provider, wire) => {
  it.effect.each([
    ["it answers", answering(wire, "Sim.")],
    ["the key is wrong", wrongKey],
    ["it breaks off", { pieces: [wire.says("Ela ajuda muito")], end: "breaks" }],
    ["its event is malformed", { pieces: [`data: {${secret}\n\n`] }],
    ["it answers with what was asked", answering(wire, secret)],
    ["it answers with other JSON", answering(wire, JSON.stringify({ answer: [secret] }))],
    ["it is overloaded", { status: 529, pieces: [secret] }],
    ["nobody is there", null]
  ] as const)(
    "leaves neither the key nor the question in logs and traces when %s",
    ([, answer]) =>
      Effect.gen(function*() {
        const watched = watching()
        const { base_url } = answer === null
          ? yield* Effect.scoped(startModelServer({}))
          : yield* startModelServer(answer)
        yield* heard(asked).pipe(
          Effect.andThen(Effect.flatMap(Assistant, (it) => Effect.exit(it.reply(asked)))),
          Effect.withSpan("the request"),
          Effect.provide(Layer.provideMerge(assistantAt(provider, base_url), watched.layer))
        )
        assert.include(watched.names(), "LanguageModel.streamText")
        assert.include(watched.names(), "POST")
        assert.notInclude(watched.whole(), key)
        assert.notInclude(watched.exported(), secret)
      })
  )

  it.effect("logs why it failed, by name and status", () =>
    Effect.gen(function*() {
      const watched = watching()
      const { base_url } = yield* startModelServer(wrongKey)
      yield* heard().pipe(Effect.provide(Layer.provideMerge(assistantAt(provider, base_url), watched.layer)))
      assert.include(watched.exported(), "AuthenticationError")
      assert.include(watched.exported(), "status: 401")
    }))
})
