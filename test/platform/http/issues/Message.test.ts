import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { CreateMapping } from "../../../../src/commerce/sales/mapping/Mapping.ts"
import { CreateBlock } from "../../../../src/learning/content/Block.ts"
import { LadderPayload } from "../../../../src/learning/gamification/Ladder.ts"
import { CreateStudent } from "../../../../src/membership/students/StudentDetail.ts"
import { describeFaults, describeIssue, longestMessage } from "../../../../src/platform/http/issues/Message.ts"
import { nameOf, nearest } from "../../../../src/platform/http/issues/Names.ts"
import { PageQuery } from "../../../../src/platform/http/Page.ts"
import { Email, sentId, text } from "../../../../src/platform/http/Text.ts"
import { Timestamp } from "../../../../src/platform/http/Timestamp.ts"
import { CreateEndpoint } from "../../../../src/webhooks/endpoint/Endpoint.ts"

const Kind = Schema.Literals(["a", "b", "c"])

const Item = Schema.Struct({
  name: text(1, 40),
  points: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))
})

const Everything = Schema.Struct({
  email: Email,
  id: Schema.optionalKey(sentId(Schema.String.check(Schema.isUUID()))),
  kind: Kind,
  published_at: Schema.NullOr(Timestamp),
  password: Schema.RedactedFromValue(text(8, 1024)),
  title: Schema.optionalKey(Schema.NullOr(text(1, 200))),
  flag: Schema.optionalKey(Schema.Boolean),
  since: Schema
    .optionalKey(Schema.Union([Timestamp, Schema.String.check(Schema.isPattern(/^\d$/, { expected: "a digit" }))])),
  items: Schema.optionalKey(Schema.Array(Item).check(
    Schema.isMaxLength(3),
    Schema.isUnique({ expected: "must have each item once" })
  )),
  block: Schema.optionalKey(Schema.Union([
    Schema.Struct({ kind: Schema.Literal("text"), body: text(1, 10) }),
    Schema.Struct({ kind: Schema.Literals(["video", "file"]), media_id: sentId(Schema.String) })
  ])),
  either: Schema.optionalKey(Schema.Union([
    Schema.Struct({ one: Schema.String }),
    Schema.Struct({ two: Schema.Int, three: Schema.Int })
  ]))
})

const options = { errors: "first", onExcessProperty: "error" } as const

const said = (schema: Schema.Codec<unknown, unknown>, value: unknown, source: "body" | "query" = "body") => {
  const read = Schema.decodeUnknownResult(schema, options)(value)
  return Result.isSuccess(read) ? "" : describeFaults({ ast: schema.ast, value, issue: read.failure.issue, source })
}

const right = { email: "ana@example.com", kind: "a", published_at: null, password: "12345678" }

/** Schemas of requests from several features. */
const bodies: Readonly<Record<string, Schema.Codec<unknown, unknown>>> = {
  Everything,
  LadderPayload,
  CreateStudent,
  CreateBlock,
  CreateEndpoint,
  CreateMapping,
  PageQuery: Schema.Struct(PageQuery)
}

const fieldsOf = ({ ast }: Schema.Top): ReadonlyArray<string> => {
  const objects = ast._tag === "Union" ? ast.types : [ast]
  return objects.flatMap((one) => one._tag === "Objects" ? one.propertySignatures.map(({ name }) => String(name)) : [])
}

const markedText = "<sent text>"
const markedNumber = 987_654_321.5

/** The same shape with marked texts and numbers, which no message of ours contains. */
const marked = (value: object): unknown =>
  JSON.parse(
    JSON.stringify(value),
    (_, part: unknown) => typeof part === "string" ? markedText : typeof part === "number" ? markedNumber : part
  )

/** The length of the longest start of a key that the message contains. */
const longestRun = (message: string, key: string) => {
  let length = key.length
  while (length > 0 && !message.includes(key.slice(0, length))) length -= 1
  return length
}

const cases: ReadonlyArray<readonly [object, string]> = [
  [{ email: "x" }, "email must be an e-mail address"],
  [{ email: 1 }, "email must be an e-mail address"],
  [{ email: `${"a".repeat(320)}@example.com` }, "email must be an e-mail address of at most 320 characters"],
  [{ id: "1" }, "id must be a UUID"],
  [{ kind: "d" }, "kind must be one of a, b, c"],
  [{ published_at: "today" }, "published_at must be a time such as 2026-11-25T12:00:00Z or null"],
  [{ published_at: 1 }, "published_at must be a time such as 2026-11-25T12:00:00Z or null"],
  [{ password: "1234567" }, "password must have 8 to 1024 characters"],
  [{ password: null }, "password must be a string of 8 to 1024 characters"],
  [{ title: "" }, "title must have 1 to 200 characters"],
  [{ title: 1 }, "title must be a string of 1 to 200 characters or null"],
  [{ title: "\0" }, "title must not contain NUL or half of a surrogate pair"],
  [{ flag: "true" }, "flag must be true or false"],
  [{ since: "x" }, "since must be a time such as 2026-11-25T12:00:00Z or a digit"],
  [{ items: {} }, "items must be a list of at most 3 items"],
  [
    { items: [1, { name: "a", points: 10 }] },
    "items[0] must be an object; items[1].points must be a whole number from 0 to 9"
  ],
  [{ items: [{ name: "a", points: 1 }, { name: "a", points: 1 }] }, "items must have each item once"],
  [{ items: Array.from({ length: 4 }, (_, points) => ({ name: "a", points })) }, "items must have at most 3 items"],
  [{ block: { kind: "image" } }, "block.kind must be one of text, video, file"],
  [{ block: {} }, "block.kind is required"],
  [{ block: { kind: "text", media_id: "1" } }, "block.body is required; `block.media_id` is not a known field"],
  [{ block: { kind: "file", media_id: "1" } }, "block.media_id must be a UUID"],
  [{ block: 1 }, "block must be an object"],
  [{ either: { one: 1 } }, "either.one must be a string"],
  [{ either: { two: 1 } }, "either.three is required"],
  [{ emial: 1 }, "`emial` is not a known field"],
  [{ tilte: "a" }, "`tilte` is not a known field; did you mean `title`?"],
  [{ publishedAt: 1 }, "`publishedAt` is not a known field"]
]

describe("what is said of a refused value", () => {
  it.each(cases)("%j", (change, message) => {
    assert.strictEqual(said(Everything, { ...right, ...change }), message)
  })

  it("names every field, and ten of them at most", () => {
    assert.strictEqual(said(Everything, { ...right, kind: 1, flag: 1, title: 1 }).split("; ").length, 3)
    const items = Array.from({ length: 100 }, () => ({ name: "", points: 0 }))
    const sentences = said(Everything, { ...right, items }).split("; ")
    assert.strictEqual(sentences.length, 11)
    assert.strictEqual(sentences.at(-1), "and 90 more")
    const many = Array.from({ length: 20_000 }, () => 1)
    assert.strictEqual(said(Everything, { ...right, items: many }).split("; ").at(-1), "and more")
  })

  it("is of the whole where the whole is something else", () => {
    for (const value of [undefined, null, [], 1, ""]) {
      assert.strictEqual(said(Everything, value), "The body must be an object")
    }
  })

  it("names a fault that is further behind than it looks", () => {
    const List = Schema.Struct({ list: Schema.Array(Schema.Int) })
    const list = [...Array.from({ length: 15_000 }, () => 1), "x"]
    assert.strictEqual(said(List, { list }), "list[15000] must be a whole number; and more")
  })

  it("calls what is in a query a parameter", () => {
    const Query = Schema.Struct(PageQuery)
    for (const limit of ["0", "101", "x", "1000", ""]) {
      assert.strictEqual(said(Query, { limit }, "query"), "limit must be a whole number from 1 to 100")
    }
    assert.strictEqual(said(Query, { limit: ["1", "2"] }, "query"), "limit must be given once")
    assert.strictEqual(said(Query, { limt: "1" }, "query"), "`limt` is not a known parameter; did you mean `limit`?")
  })

  it("names the issue alone, where there is no value", () => {
    const describeFirst = (value: unknown) => {
      const read = Schema.decodeUnknownResult(Everything, options)(value)
      return Result.isSuccess(read) ? "" : describeIssue(read.failure.issue)
    }
    for (
      const [change, message] of cases.filter(([, message]) => !message.includes(";") && !message.includes("block"))
    ) {
      if (/e-mail|null$|either|since|title|known/.test(message)) continue
      assert.strictEqual(describeFirst({ ...right, ...change }), message)
    }
  })

  it.prop(
    "is bounded, has no value of what was sent and no word of Effect's",
    {
      name: Schema.Literals(Object.keys(bodies)),
      values: Schema.Array(Schema.Json),
      keys: Schema.Array(Schema.String)
    },
    ({ keys, name, values }) => {
      const schema = bodies[name] ?? Everything
      const names = [...fieldsOf(schema), ...keys]
      const sent = marked(Object.fromEntries(values.map((value, index) => [names[index % names.length] ?? "", value])))
      const message = said(schema, sent)
      assert.isAtMost(message.length, longestMessage)
      for (const mark of [markedText, String(markedNumber)]) assert.notInclude(message, mark)
      for (const key of keys) assert.isAtMost(longestRun(message, key), 65)
      // A message repeats unknown keys as they came, so this applies only without such keys.
      if (keys.length === 0) assert.notMatch(message, /Expected|Missing key|excess|undefined|got |NaN|actual/)
    }
  )
})

describe("names", () => {
  it("are written as a person writes them, and cut", () => {
    assert.strictEqual(nameOf(["levels", 2, "name"]), "levels[2].name")
    assert.strictEqual(nameOf(["x".repeat(100)]), `${"x".repeat(64)}…`)
    assert.strictEqual(nameOf(["a\n`\u202e"]), "a\ufffd\ufffd\ufffd")
    assert.isAtMost(nameOf(Array.from({ length: 1000 }, () => "x".repeat(64))).length, 201)
  })

  it("are proposed where they are near", () => {
    const known = ["email", "name", "published_at", "id"]
    assert.deepStrictEqual(
      ["emial", "publishedAt", "published-at", "colour", "idd", "x".repeat(100_000)].map((name) =>
        nearest(name, known)
      ),
      ["email", "published_at", "published_at", undefined, "id", undefined]
    )
  })
})
