import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { clubId, commandLine, signedIn, startStub } from "./CommandLine.ts"

const list = ["students", "list"]
const post = ["api", "POST", "/v1/clubs"]
const signing = ["--secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "--id", "1"]

/** Calls with a file that cannot be read, each with its line of failure. `{home}` is a folder. */
const files: ReadonlyArray<readonly [words: ReadonlyArray<string>, line: string]> = [
  [["import", "{home}/none.csv"], "Cannot read {home}/none.csv: there is no such file"],
  [["import", "{home}"], "Cannot read {home}: it is a folder"],
  [[...post, "--input", "{home}/none.json"], "Cannot read {home}/none.json: there is no such file"],
  [[...post, "--input", "{home}/file/of"], "Cannot read {home}/file/of: a part of its path is no folder"],
  [["webhooks", "sign", ...signing, "--body", "{home}"], "Cannot read {home}: it is a folder"],
  [
    ["webhooks", "listen", "--cert", "{home}/none.pem", "--key", "{home}/file"],
    "Cannot read the certificate {home}/none.pem: there is no such file"
  ],
  [
    ["webhooks", "listen", "--cert", "{home}/file", "--key", "{home}/bytes"],
    "Cannot read the certificate's key {home}/bytes: it is not UTF-8 text"
  ]
]

const inputs: ReadonlyArray<readonly [line: string, what: string]> = [
  ["turma login --key-stdin", "the key"],
  ["turma login --email ana@example.com --password-stdin", "the password"]
]

const answers: ReadonlyArray<readonly [body: string | Uint8Array, why: string]> = [
  ["<html>", "it is not JSON: see line 1, column 1"],
  ["{\"data\":[\n{\"id\":1},]}", "it is not JSON: see line 2, column 10"],
  ["{\"data\":[", "it is not JSON: it ends too early"],
  ["", "it is empty"],
  ["{\"data\":7}", "it is JSON of another kind"],
  [Uint8Array.of(0x22, 0xff, 0x22), "it is not UTF-8 text"]
]

/** A service that gives this answer, and a command line that is signed in to it. */
const against = Effect.fnUntraced(function*(body: string | Uint8Array, status = 200) {
  const stub = yield* startStub(() => ({ status, body }))
  return { url: stub.url, turma: yield* commandLine(signedIn(stub.url)) }
})

layer(Layer.empty, { excludeTestServices: true })("What cannot be read", (it) => {
  it.effect("is a file, and why", () =>
    Effect.gen(function*() {
      const turma = yield* commandLine(signedIn("http://127.0.0.1:1"))
      writeFileSync(`${turma.home}/file`, "")
      writeFileSync(`${turma.home}/bytes`, Uint8Array.of(0xff))
      const placed = (text: string) => text.replaceAll("{home}", turma.home)
      for (const [words, line] of files) {
        const said = yield* turma.run(words.map(placed))
        assert.deepStrictEqual([said.code, said.stdout, said.stderr], [2, "", `turma: ${placed(line)}\n`])
      }
    }))

  it.effect("is standard input, and why", () =>
    Effect.gen(function*() {
      const turma = yield* commandLine(signedIn("http://127.0.0.1:1"))
      for (const [line, what] of inputs) {
        const said = yield* turma.bash(`printf '\\377' | ${line}`)
        const why = `Cannot read ${what} from standard input: it is not UTF-8 text`
        assert.deepStrictEqual([said.code, said.stderr], [2, `turma: ${why}\n`])
      }
    }))

  it.effect("is an argument, and where", () =>
    Effect.gen(function*() {
      const turma = yield* commandLine(signedIn("http://127.0.0.1:1"))
      const said = yield* turma.run([...post, "-F", "level={\"points\":}"])
      const line = "turma: --typed: level cannot be read: it is not JSON: see line 1, column 11\n"
      assert.deepStrictEqual([said.code, said.stderr], [2, line])
    }))

  it.effect.each(answers)("is the answer %j, and why", ([body, why]) =>
    Effect.gen(function*() {
      const taken = yield* against(body)
      const said = yield* taken.turma.run(list)
      assert.deepStrictEqual(
        [said.code, said.stderr],
        [6, `turma: What ${taken.url} answers is not Turma's (${why}): is the address right?\n`]
      )
      const refused = yield* against(body, 502)
      const told = yield* refused.turma.run(list)
      assert.deepStrictEqual(
        [told.code, told.stderr],
        [6, `turma: The answer 502 is not one of Turma's: is the address right? (${refused.url}, ${why})\n`]
      )
    }))

  it.effect("is an answer that is to be shown and is no text", () =>
    Effect.gen(function*() {
      const { turma, url } = yield* against(Uint8Array.of(0x22, 0xff, 0x22))
      const { code, stdout } = yield* Effect.flatMap(
        turma.terminal(200, ["api", "GET", "/v1/me"]),
        ({ ended }) => ended
      )
      assert.deepStrictEqual([code, stdout.includes(`Cannot show what ${url} answers: it is not UTF-8 text`)], [
        6,
        true
      ])
    }))

  it.effect("is the file of profiles, and why, without what is in it", () =>
    Effect.gen(function*() {
      const turma = yield* commandLine()
      const folder = `${turma.home}/config/turma`
      const file = `${folder}/profiles.json`
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeFileSync(file, `{"latest":"a"\n"${clubId}"`, { mode: 0o600 })
      const broken = yield* turma.run(list)
      const why = "it is not JSON: see line 2, column 1"
      assert.deepStrictEqual(
        [broken.code, broken.stderr],
        [2, `turma: ${file} is no file of profiles (${why}): remove it and sign in again\n`]
      )
    }))
})
