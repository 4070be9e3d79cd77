import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, appLayer, outcome, send } from "../../harness/App.ts"
import { operations } from "../../harness/Document.ts"
import { exchange } from "../../harness/Exchange.ts"

const policy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; script-src 'self'; connect-src 'self'"

const assetsOf = (page: string) =>
  [...page.matchAll(/ (?:src|href)="(\/(?:docs\/)?assets\/[^"]+)"/g)].map(([, address = ""]) => address)

layer(AppLayer)("the documentation", (it) => {
  it.effect("is at /docs, under a policy that forbids all but our own style and script", () =>
    Effect.gen(function*() {
      for (
        const path of [
          "/docs",
          "/docs/guides/tour",
          "/docs/reference/webhook-endpoints",
          "/docs/events",
          "/docs/search?q=tour"
        ]
      ) {
        const { headers, status, text } = yield* exchange("GET", path)
        assert.deepStrictEqual([status, headers["content-type"]], [200, "text/html; charset=utf-8"], path)
        assert.strictEqual(headers["content-security-policy"], policy)
        assert.strictEqual(headers["x-content-type-options"], "nosniff")
        assert.strictEqual(headers["referrer-policy"], "no-referrer")
        assert.include(text, "<title>")
      }
    }))

  it.effect("is compressed, and is the same in every coding", () =>
    Effect.gen(function*() {
      for (const path of ["/docs", "/docs/reference/ask", "/openapi.json"]) {
        const plain = yield* exchange("GET", path)
        assert.isUndefined(plain.headers["content-encoding"])
        for (const coding of ["br", "gzip"]) {
          const coded = yield* exchange("GET", path, { headers: { "accept-encoding": coding } })
          assert.strictEqual(coded.headers["content-encoding"], coding)
          assert.isBelow(coded.bytes.length, plain.bytes.length / 3)
          assert.strictEqual(coded.text, plain.text)
          assert.match(String(coded.headers["vary"]), /Accept-Encoding/)
        }
      }
    }))

  it.effect("is not sent again to who has it", () =>
    Effect.gen(function*() {
      for (const path of ["/docs", "/openapi.json"]) {
        const { headers } = yield* exchange("GET", path)
        assert.strictEqual(headers["cache-control"], "no-cache")
        const again = yield* exchange("GET", path, { headers: { "if-none-match": String(headers.etag) } })
        assert.deepStrictEqual([again.status, again.bytes.length], [304, 0])
        const other = yield* exchange("GET", path, { headers: { "if-none-match": "\"other\"" } })
        assert.strictEqual(other.status, 200)
      }
    }))

  it.effect("loads a style and a script that are kept for good, since their addresses name them", () =>
    Effect.gen(function*() {
      const { text } = yield* exchange("GET", "/docs")
      const assets = assetsOf(text)
      assert.lengthOf(assets.filter((address) => address.startsWith("/docs/")), 2)
      for (const address of assets) {
        const { headers, status } = yield* exchange("GET", address)
        assert.deepStrictEqual([address, status], [address, 200])
        assert.match(String(headers["cache-control"]), /immutable/)
      }
    }))

  it.effect("answers a page for an address that is none, and takes no other method", () =>
    Effect.gen(function*() {
      for (const path of ["/docs/nowhere", "/docs/guides/nowhere", "/docs/guides/..%2f..%2fpackage"]) {
        const { headers, status, text } = yield* exchange("GET", path, { headers: { accept: "text/html,*/*;q=0.8" } })
        assert.deepStrictEqual([status, headers["content-type"]], [404, "text/html; charset=utf-8"], path)
        assert.include(text, "<h1>No such page</h1>")
      }
      assert.deepStrictEqual(outcome(yield* send("GET", "/docs/a/b/c")), [404, "not_found"])
      for (const path of ["/docs", "/docs/guides/tour", "/docs/search", "/openapi.json"]) {
        assert.deepStrictEqual(outcome(yield* send("POST", path)), [405, "method_not_allowed"])
      }
    }))

  it.effect("is the same with a slash behind it", () =>
    Effect.gen(function*() {
      const [page, slashed] = [yield* exchange("GET", "/docs"), yield* exchange("GET", "/docs/")]
      assert.deepStrictEqual([slashed.status, slashed.text], [200, page.text])
    }))

  it.effect("searches without a script too, and shows what was asked as text", () =>
    Effect.gen(function*() {
      const page = yield* exchange("GET", "/docs/search?q=slug_taken")
      assert.match(
        page.text,
        /<h1>Search<\/h1>.*<ol class="found"><li>.*<a href="\/docs\/reference\/account#account.createClub">/s
      )
      const list = yield* exchange("GET", "/docs/search?part=list&q=slug_taken")
      assert.match(list.text, /^<ol class="found">/)
      const nothing = yield* exchange("GET", `/docs/search?q=${encodeURIComponent("<script>xyzzy(1)</script>")}`)
      assert.notInclude(nothing.text, "<script>xyzzy")
      assert.include(nothing.text, "&lt;script&gt;xyzzy(1)&lt;/script&gt;")
      const long = yield* exchange("GET", `/docs/search?q=${"a%20".repeat(3000)}`)
      assert.strictEqual(long.status, 200)
    }))
})

const app = "https://app.example.com"

layer(appLayer({ ALLOWED_ORIGINS: app }))(
  "the documentation for programs of a page",
  (it) => {
    it.effect("may be read by those that are allowed, who may ask before", () =>
      Effect.gen(function*() {
        for (const path of ["/llms.txt", "/llms-full.txt", "/docs/events/student.created.md"]) {
          const { headers } = yield* exchange("GET", path, { headers: { origin: app } })
          assert.strictEqual(headers["access-control-allow-origin"], app)
          const asked = { origin: app, "access-control-request-method": "GET" }
          const preflight = yield* exchange("OPTIONS", path, { headers: asked })
          assert.deepStrictEqual(
            [preflight.status, preflight.headers["access-control-allow-methods"]],
            [204, "GET, HEAD"]
          )
          const foreign = yield* exchange("GET", path, { headers: { origin: "https://other.example" } })
          assert.isUndefined(foreign.headers["access-control-allow-origin"])
        }
      }))
  }
)

/** Every address of Markdown that links lead to from llms.txt, with its answer. */
const reached = Effect.gen(function*() {
  const found = new Map<string, Effect.Success<ReturnType<typeof exchange>>>()
  const [, base = ""] = /^Everything is below (\S+)\. /m.exec((yield* exchange("GET", "/llms.txt")).text) ?? []
  const waiting = new Set(["/llms.txt"])
  // A set may grow during the loop over it.
  for (const path of waiting) {
    const answer = yield* exchange("GET", path)
    found.set(path, answer)
    const [, ...links] = answer.text.split(`](${base}`)
    for (const link of links) waiting.add(link.replace(/[)#].*$/s, ""))
  }
  return found
})

layer(AppLayer)("the documentation for programs", (it) => {
  it.effect("is Markdown that can all be reached from llms.txt, by links that hold", () =>
    Effect.gen(function*() {
      const answers = yield* reached
      const types = [...answers].map(([path, { headers, status }]) => `${path}: ${status} ${headers["content-type"]}`)
      const wrong = types.filter((type) =>
        !type.endsWith(": 200 text/markdown; charset=utf-8") && type !== "/openapi.json: 200 application/json"
      )
      assert.deepStrictEqual(wrong, [])
      for (const { operationId } of operations) assert.isTrue(answers.has(`/docs/operations/${operationId}.md`))
      assert.isTrue(answers.has("/docs/events/student.created.md"))
      assert.isTrue(answers.has("/docs/reference/courses.md"))
    }))

  it.effect("is compressed, not sent again to who has it, and answers GET alone", () =>
    Effect.gen(function*() {
      for (
        const path of ["/llms.txt", "/llms-full.txt", "/docs/guides/tour.md", "/docs/operations/courses.create.md"]
      ) {
        const { bytes, headers, text } = yield* exchange("GET", path)
        assert.strictEqual(headers["cache-control"], "no-cache")
        const coded = yield* exchange("GET", path, { headers: { "accept-encoding": "br" } })
        assert.deepStrictEqual([coded.headers["content-encoding"], coded.text], ["br", text])
        assert.isBelow(coded.bytes.length, bytes.length / 2)
        const again = yield* exchange("GET", path, { headers: { "if-none-match": String(headers.etag) } })
        assert.deepStrictEqual([again.status, again.bytes.length], [304, 0])
        assert.deepStrictEqual(outcome(yield* send("POST", path)), [405, "method_not_allowed"])
        const head = yield* exchange("HEAD", path)
        assert.deepStrictEqual([head.status, head.headers.etag, head.bytes.length], [200, headers.etag, 0])
      }
    }))

  it.effect("is refused as the API refuses where there is none, and not by a page", () =>
    Effect.gen(function*() {
      const markdown = { accept: "text/markdown" }
      const asked = [
        ["/docs/operations/courses.nothing.md", {}],
        ["/docs/operations/courses.create", markdown],
        ["/docs/guides/TOUR.md", {}],
        ["/docs/guides/..%2f..%2f..%2fREADME.md", {}],
        ["/docs/guides/tour.md%00.md", {}],
        ["/docs/guides/%ff.md", {}],
        ["/docs/guides/tour%2emd.md", {}],
        ["/docs/events/__proto__.md", {}],
        ["/docs/nowhere", markdown],
        ["/docs/nowhere", {}],
        ["/docs/guides/nowhere", { accept: "*/*" }],
        ["/docs/nowhere", { accept: "application/json, text/html;q=0.9" }]
      ] as const
      for (const [path, headers] of asked) {
        const answer = yield* exchange("GET", path, { headers: { ...headers } })
        assert.deepStrictEqual([path, answer.status, answer.headers["content-type"]], [path, 404, "application/json"])
        assert.strictEqual(JSON.parse(answer.text).error.code, "not_found")
      }
      const page = yield* exchange("GET", "/docs/nowhere", { headers: { accept: "text/html" } })
      assert.match(String(page.headers["vary"]), /^Accept, /)
    }))

  it.effect("is what a page's address answers to who asks for Markdown", () =>
    Effect.gen(function*() {
      const pages = [
        ["/docs", "/llms.txt"],
        ["/docs/guides/tour", "/docs/guides/tour.md"],
        ["/docs/reference/courses", "/docs/reference/courses.md"],
        ["/docs/events", "/docs/events.md"]
      ] as const
      for (const [page, markdown] of pages) {
        const { text } = yield* exchange("GET", markdown)
        for (const accept of ["text/markdown", "text/markdown, text/html, */*", "TEXT/MARKDOWN;q=0.9, */*;q=0.1"]) {
          const answer = yield* exchange("GET", page, { headers: { accept } })
          assert.deepStrictEqual(
            [answer.headers["content-type"], answer.headers["content-location"], answer.text],
            ["text/markdown; charset=utf-8", markdown, text]
          )
          assert.match(String(answer.headers["vary"]), /^Accept, /)
        }
        for (const accept of ["text/html,application/xhtml+xml,*/*;q=0.8", "text/markdown;q=0, */*", "*/*"]) {
          const answer = yield* exchange("GET", page, { headers: { accept } })
          assert.strictEqual(answer.headers["content-type"], "text/html; charset=utf-8")
          assert.match(String(answer.headers["vary"]), /^Accept, /)
        }
      }
    }))
})
