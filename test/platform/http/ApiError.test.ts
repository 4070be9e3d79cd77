import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { HttpServerRequest, HttpServerRespondable } from "effect/http"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { ApiError, saying } from "../../../src/platform/http/ApiError.ts"
import { ValidationFailed } from "../../../src/platform/http/errors.ts"
import type { Locale } from "../../../src/platform/http/Locale.ts"
import { ownText } from "../../../src/platform/text/Utf8.ts"

const source = new URL("../../../src/", import.meta.url).pathname

const isRefused = Schema.is(Schema.Struct({ error: Schema.Struct({ code: Schema.String, message: Schema.String }) }))

const isClass = (value: unknown): value is new() => HttpServerRespondable.Respondable =>
  typeof value === "function" && "fields" in value && Object.keys(Object(value.fields)).join() === "error"

/** The exported refusals of the service. */
const refusals = async () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && readFileSync(join(source, path), "utf8").includes("extends ApiError<"))
  const modules = await Promise.all(files.map((path): Promise<object> => import(join(source, path))))
  return [...new Set(modules.flatMap((module) => Object.values(module).filter(isClass)))]
}

/** The answer in this language. */
const sent = (refusal: HttpServerRespondable.Respondable, language: string) =>
  HttpServerRespondable.toResponse(refusal).pipe(
    Effect.map(({ body }) => {
      const answer: unknown = body._tag === "Uint8Array" ? JSON.parse(ownText(body.body)) : undefined
      if (!isRefused(answer)) throw new Error("This is not an envelope")
      return answer.error
    }),
    Effect.provideService(
      HttpServerRequest.HttpServerRequest,
      HttpServerRequest.fromWeb(new Request("http://localhost/", { headers: { "accept-language": language } }))
    )
  )

const inBoth = Effect.fnUntraced(function*(refusal: HttpServerRespondable.Respondable) {
  const [english, portuguese] = yield* Effect.all([sent(refusal, "en"), sent(refusal, "pt-BR")])
  assert.strictEqual(english.code, portuguese.code)
  return { code: english.code, en: english.message, "pt-BR": portuguese.message } satisfies Record<
    Locale | "code",
    string
  >
})

class Odd extends ApiError<Odd>()("Odd", {
  status: 422,
  code: "odd",
  message: { en: "levels must be even", "pt-BR": "Os níveis precisam ser pares." }
}) {}

describe("A refusal", () => {
  it.effect("has a sentence in each language, which names a field alike", () =>
    Effect.gen(function*() {
      const all = yield* Effect.promise(refusals)
      assert.isAbove(all.length, 130)
      for (const one of all) {
        const { code, en, "pt-BR": portuguese } = yield* inBoth(new one())
        assert.notStrictEqual(en, portuguese, code)
        assert.match(portuguese, /^(?:[a-z_]+: )?\p{Lu}.+\.$/u, code)
        assert.strictEqual(/^([a-z_]+)(?=: | must )/.exec(en)?.[1], /^([a-z_]+): /.exec(portuguese)?.[1], code)
      }
    }))

  it.effect("is English where the language is not said, or is another", () =>
    Effect.gen(function*() {
      const refusal = new Odd()
      for (const language of ["", "*", "en", "de"]) {
        assert.deepStrictEqual(yield* sent(refusal, language), { code: "odd", message: "levels must be even" })
      }
      assert.strictEqual(refusal.message, "levels must be even")
    }))

  it.effect("says a sentence of its own in each language", () =>
    Effect.gen(function*() {
      const own = new Odd(saying({ en: "levels[2] must be even", "pt-BR": "O terceiro precisa ser par." }))
      assert.deepStrictEqual(yield* inBoth(own), {
        code: "odd",
        en: "levels[2] must be even",
        "pt-BR": "levels[2]: O terceiro precisa ser par."
      })
    }))

  it.effect("says the usual sentence where its own is English alone, unless that says too little", () =>
    Effect.gen(function*() {
      const own = { error: { message: "levels[2] must be even" } }
      assert.strictEqual((yield* inBoth(new Odd(own)))["pt-BR"], "levels[2]: Os níveis precisam ser pares.")
      assert.strictEqual((yield* inBoth(new ValidationFailed(own)))["pt-BR"], "levels[2] must be even")
    }))
})
