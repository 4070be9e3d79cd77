import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { execFileSync } from "node:child_process"
import { curlOf, quoted } from "../../../../../src/console/views/webhooks/model/Curl.ts"

// A shell that prints the arguments of curl and its piped input, each ended by NUL.
const told = (command: string, isPiped: boolean): ReadonlyArray<string> => {
  const script = `curl() { printf '%s\\0' "$@"; ${isPiped ? "cat; printf '\\0'" : ":"}; }\n${command}\n`
  return execFileSync("sh", { input: script, maxBuffer: 20_000_000 }).toString("utf8").split("\0").slice(0, -1)
}

// A shell cannot carry NUL, and lone surrogates are not text.
const Text = Schema.String.check(Schema.makeFilter((text: string) => !text.includes("\0") && text.isWellFormed()))

const Hostile = Schema.Literals([
  "'; rm -rf /; '",
  "$(id)",
  "`id`",
  "\\",
  "\n",
  "'\"'\"'",
  "@/etc/passwd",
  "ديانا 👩‍🎓",
  "!!",
  "-o x",
  "*",
  "~"
])

const words = (url: string, headers: Readonly<Record<string, string>>, data: ReadonlyArray<string>) => [
  "--globoff",
  "--request",
  "POST",
  "--url",
  url,
  ...Object.entries(headers).flatMap(([name, value]) => ["--header", `${name}: ${value}`]),
  ...data
]

describe("A request as curl", () => {
  it.prop(
    "is read back by a shell as it was",
    { parts: Schema.Array(Schema.Union([Text, Hostile])), signature: Schema.Union([Text, Hostile]) },
    ({ parts, signature }) => {
      const body = parts.join("")
      const url = `https://receiver.example/${signature}`
      const headers = { "webhook-signature": signature }
      assert.deepStrictEqual(
        told(curlOf({ url, headers, body }), false),
        words(url, headers, ["--data-raw", body])
      )
      return true
    },
    { arbitrary: { runs: 60 } }
  )

  it("goes through a pipe where its body is too long for an argument", () => {
    const body = JSON.stringify({ text: "it's ".repeat(200_000) })
    const url = "https://receiver.example/hook"
    assert.deepStrictEqual(
      told(curlOf({ url, headers: {}, body }), true),
      [...words(url, {}, ["--data-binary", "@-"]), body]
    )
  })

  it("leaves plain words as they are", () => {
    assert.strictEqual(quoted("https://receiver.example/hook?a=1"), "'https://receiver.example/hook?a=1'")
    assert.strictEqual(quoted("application/json"), "application/json")
    assert.strictEqual(quoted(""), "''")
  })
})
