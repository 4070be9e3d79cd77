import { type ByteSize, Config, Effect, Option, Redacted, Schema } from "effect"
import { optionalSetting, setting, type SettingError } from "../config/Setting.ts"

/** A bucket of a server that speaks S3, and who we are to it. */
export interface Bucket {
  readonly access_key_id: string
  readonly secret: Redacted.Redacted
  readonly region: string
  /** Where the bucket answers, with a slash at its end. */
  readonly base: URL
  readonly name: string
  /** Before each of our keys: empty, or with a slash at its end. */
  readonly prefix: string
}

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return ""
  }
}

// S3's own rule, and for the rest what needs no encoding.
const path = /^\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)\/?$/

/** The options after the question mark, with their defaults. */
const options = {
  region: { shape: /^[a-z0-9-]{1,63}$/, fallback: "us-east-1" },
  tls: { shape: /^(?:true|false)$/, fallback: "true" },
  path_style: { shape: /^(?:true|false)$/, fallback: "true" }
} as const

const isOption = (name: string): name is keyof typeof options => Object.hasOwn(options, name)

const optionsOf = ({ searchParams }: URL): Option.Option<Record<keyof typeof options, string>> => {
  const given = [...searchParams]
  const isRight = new Set(searchParams.keys()).size === given.length &&
    given.every(([name, value]) => isOption(name) && options[name].shape.test(value))
  const valueOf = (name: keyof typeof options) => searchParams.get(name) ?? options[name].fallback
  return isRight
    ? Option.some({ region: valueOf("region"), tls: valueOf("tls"), path_style: valueOf("path_style") })
    : Option.none()
}

/** The bucket in a URL of the form of `STORAGE_URL`; `None` for any other text. */
export const bucketOf = (text: string): Option.Option<Bucket> =>
  Option.gen(function*() {
    const url = yield* Option.fromNullishOr(URL.parse(text))
    const { path_style, region, tls } = yield* optionsOf(url)
    const [, name, within = ""] = yield* Option.fromNullishOr(path.exec(url.pathname))
    if (name === undefined) return yield* Option.none()
    const place = path_style === "true" ? `${url.host}/${name}/` : `${name}.${url.host}/`
    const base = yield* Option.fromNullishOr(URL.parse(`${tls === "true" ? "https" : "http"}://${place}`))
    const [access_key_id, secret] = [decoded(url.username), decoded(url.password)]
    // The id stands in a header between slashes and commas.
    const isWhole = url.protocol === "s3:" && url.host !== "" && url.hash === "" && secret !== "" &&
      /^[^\s/,]+$/.test(access_key_id)
    if (!isWhole) return yield* Option.none()
    const prefix = within === "" ? "" : `${within.slice(1)}/`
    return { access_key_id, secret: Redacted.make(secret), region, base, name, prefix }
  })

/** How to name a bucket, for messages and help. */
export const bucketDescription = {
  expected: "s3://ACCESS_KEY_ID:SECRET@host[:port]/bucket[/prefix], percent-encoded, with ?region=, &tls=false or " +
    "&path_style=false where they differ",
  example: "s3://AKIAEXAMPLE:a%2Fsecret@s3.eu-west-1.amazonaws.com/turma?region=eu-west-1"
} as const

const isStorageUrl = Schema.makeFilter<string>((text) => Option.isSome(bucketOf(text)))

// As many as a number counts exactly.
const Bytes = Schema.ByteSize
  .check(Schema.makeFilter((size: ByteSize.ByteSize) => size <= BigInt(Number.MAX_SAFE_INTEGER)))

const bytes = (variable: string, fallback: string, meaning: string) =>
  setting(
    { variable, fallback, meaning, expected: "a number of bytes with its unit, below 8 PiB", example: fallback },
    (variable) => Config.schema(Bytes, variable)
  )

/** Where files are kept, and how much of them. The URL has a secret in it, so it is redacted from here on. */
export const storageSettings = {
  STORAGE_URL: optionalSetting({
    variable: "STORAGE_URL",
    isSecret: true,
    meaning: "the bucket that keeps uploads, on any server that speaks S3",
    unset: "unset: files under `DATA_DIR`",
    ...bucketDescription
  }, (variable) => Config.schema(Schema.Redacted(Schema.String.check(isStorageUrl)), variable)),
  STORAGE_QUOTA_STUDENT: bytes("STORAGE_QUOTA_STUDENT", "1 GiB", "limit of one student's uploads"),
  STORAGE_QUOTA_CLUB: bytes(
    "STORAGE_QUOTA_CLUB",
    "200 GiB",
    "limit of a club's uploads, its students' files included"
  ),
  STORAGE_FREE_FLOOR: bytes(
    "STORAGE_FREE_FLOOR",
    "2 GiB",
    "space that stays free on the disk of `DATA_DIR`; uploads that would use it are refused"
  )
} as const

/** The bucket of the settings; `None` if files are on this machine. */
export const configuredBucket: Effect.Effect<Option.Option<Bucket>, SettingError> = Effect.map(
  storageSettings.STORAGE_URL.read,
  Option.flatMap((url) => bucketOf(Redacted.value(url)))
)
