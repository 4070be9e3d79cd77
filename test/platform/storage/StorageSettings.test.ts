import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Option, Redacted } from "effect"
import { configuredBucket } from "../../../src/platform/storage/StorageSettings.ts"
import { loadedModules } from "../../harness/LoadedModules.ts"

const bucketOf = (STORAGE_URL: string) =>
  Effect.provide(configuredBucket, ConfigProvider.layer(ConfigProvider.fromUnknown({ STORAGE_URL })))

const shown = (url: string) =>
  Effect.map(
    bucketOf(url),
    Option.map(({ access_key_id, base, name, prefix, region, secret }) => ({
      keys: [access_key_id, Redacted.value(secret)],
      base: base.href,
      rest: [name, prefix, region]
    }))
  )

describe("STORAGE_URL", () => {
  it.effect.each([
    [
      "s3://AKIA:s%2Fe%2Bc@s3.amazonaws.com/turma",
      ["AKIA", "s/e+c"],
      "https://s3.amazonaws.com/turma/",
      ["turma", "", "us-east-1"]
    ],
    [
      "s3://a:b@s3.eu-west-1.amazonaws.com/turma?region=eu-west-1&path_style=false",
      ["a", "b"],
      "https://turma.s3.eu-west-1.amazonaws.com/",
      ["turma", "", "eu-west-1"]
    ],
    [
      "s3://a:b@127.0.0.1:9000/turma/files/2026/?tls=false",
      ["a", "b"],
      "http://127.0.0.1:9000/turma/",
      ["turma", "files/2026/", "us-east-1"]
    ],
    [
      "s3://a:b@account.r2.cloudflarestorage.com/turma?region=auto",
      ["a", "b"],
      "https://account.r2.cloudflarestorage.com/turma/",
      ["turma", "", "auto"]
    ],
    ["s3://a:b@[::1]:9000/turma?tls=false", ["a", "b"], "http://[::1]:9000/turma/", ["turma", "", "us-east-1"]]
  ] as const)("%s names a bucket", ([url, keys, base, rest]) =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* shown(url), Option.some({ keys: [...keys], base, rest: [...rest] }))
    }))

  it.effect.each([
    "https://a:b@s3.example/turma",
    "s3://s3.example/turma",
    "s3://a@s3.example/turma",
    "s3://:b@s3.example/turma",
    "s3://a:b@s3.example",
    "s3://a:b@s3.example/",
    "s3://a:b@s3.example/Turma",
    "s3://a:b@s3.example/tu",
    "s3://a:b@s3.example/turma//files",
    "s3://a:b@s3.example/turma/fi les",
    "s3://a:b@s3.example/turma/.hidden",
    "s3://a:b@s3.example/turma?tls=no",
    "s3://a:b@s3.example/turma?region=",
    "s3://a:b@s3.example/turma?region=a&region=b",
    "s3://a:b@s3.example/turma?acl=public-read",
    "s3://a:b@s3.example/turma#here",
    "s3://a:%E0%A4%A@s3.example/turma",
    "s3://a%2Fb:c@s3.example/turma",
    "s3://a:b/c@s3.example/turma",
    "s3:///turma"
  ])("%s ends the start, and is not repeated", (url) =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(bucketOf(url))
      assert.match(
        error.message,
        /^STORAGE_URL: expected s3:\/\/ACCESS_KEY_ID:SECRET@host.*for example STORAGE_URL=s3:/
      )
      assert.notInclude(JSON.stringify(error) + error.message, url)
    }))

  it("has what speaks with a bucket loaded only where there is one", () => {
    const loaded = loadedModules(new URL("../../../src/platform/storage/driver/StorageLayer.ts", import.meta.url))
    assert.include(loaded, "/src/platform/storage/local/LocalStorage.ts")
    assert.notInclude(loaded, "/src/platform/storage/s3/")
    assert.notInclude(loaded, "aws4fetch")
  })
})
