import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { codingFor } from "../../../../src/platform/http/server/ContentCoding.ts"
import { namesTag, weakTag } from "../../../../src/platform/http/server/EntityTag.ts"

const Weight = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1000 }))

const q = (weight: number) => (weight / 1000).toFixed(3)

/** The milliseconds of processor time that work takes, however busy the machine is. */
const worked = (work: () => void) => {
  const before = process.threadCpuUsage()
  work()
  const { system, user } = process.threadCpuUsage(before)
  return (system + user) / 1000
}

describe("The coding of an answer", () => {
  it.each([
    ["br", "br"],
    ["gzip", "gzip"],
    ["gzip, deflate, br", "br"],
    ["gzip, deflate, br, zstd", "br"],
    ["GZIP", "gzip"],
    ["x-gzip", "gzip"],
    ["*", "br"],
    ["br;q=0.5, gzip;q=0.8", "gzip"],
    ["br;q=0.8, gzip;q=0.8", "br"],
    ["gzip;q=1.0, identity;q=0.5, *;q=0", "gzip"],
    ["br;q=0, *", "gzip"],
    ["br ; q=0.001 , deflate", "br"],
    ["identity;q=0.5, gzip;q=0.5", "gzip"],
    ["identity;q=0, br;q=0, gzip;q=0.1", "gzip"],
    ["nonsense;;, gzip", "gzip"]
  ] as const)("is the one that is wanted most: %s", (accepted, coding) => {
    assert.strictEqual(codingFor(accepted), coding)
  })

  it.each([
    "",
    "identity",
    "deflate",
    "zstd, deflate",
    "br;q=0",
    "gzip;q=0, br;q=0.000",
    "*;q=0",
    "identity, br;q=0.5",
    "identity;q=0.9, *;q=0.8",
    "identity;q=0",
    "br;q=2",
    "br;q=-1",
    "br;q=0.0001",
    "br;q=high",
    "br=1",
    "brotli",
    "compress"
  ])("is none where none of ours is wanted, or less than none: %s", (accepted) => {
    assert.isUndefined(codingFor(accepted))
  })

  it.prop("is never one that was refused, and never the lesser", [Weight, Weight, Weight], ([br, gzip, identity]) => {
    const coding = codingFor(`gzip;q=${q(gzip)}, identity;q=${q(identity)}, br;q=${q(br)}`)
    const weights = { br, gzip }
    if (coding === undefined) assert.isTrue(Math.max(br, gzip) === 0 || Math.max(br, gzip) < identity)
    else assert.isTrue(weights[coding] > 0 && weights[coding] >= Math.max(br, gzip, identity))
  })

  it.prop("is found in whatever is sent", [Schema.String], ([accepted]) => {
    assert.include([undefined, "br", "gzip"], codingFor(accepted))
  })

  it("is found at once in a header as long as can be", () => {
    assert.isBelow(
      worked(() => {
        for (const text of [",", "br;q=0.5,", " ", ";", "q=1;"]) codingFor(text.repeat(16_000 / text.length))
      }),
      100
    )
  })
})

describe("If-None-Match", () => {
  const tag = `"47DEQpj8HBSa-_TImW-5JC"`

  it.each([
    "*",
    " * ",
    tag,
    `W/${tag}`,
    ` ${tag} `,
    `"a", ${tag}`,
    `"a","b" , W/${tag},"c"`,
    `"with,a,comma", ${tag}`,
    `"", ${tag}`,
    `,, ${tag}`
  ])("names a tag by itself, among others, weak or strong: %s", (header) => {
    assert.isTrue(namesTag(header, tag))
    assert.isTrue(namesTag(header, weakTag(tag)))
  })

  it.each([
    "",
    "\"a\"",
    tag.slice(1, -1),
    `w/${tag}`,
    tag.toLowerCase(),
    `"a" ${tag}`,
    `"a, ${tag.slice(1)}`,
    `x${tag}`,
    `${tag}x`,
    `"*"`,
    `* , "a"`
  ])("names no other: %s", (header) => {
    assert.isFalse(namesTag(header, tag))
  })

  it("is read at once when it is as long as can be", () => {
    assert.isBelow(
      worked(() => {
        for (const text of ["\"", ",", " ", "W/", "\"a\",", "\"a\" "]) namesTag(text.repeat(16_000 / text.length), tag)
      }),
      100
    )
  })
})
