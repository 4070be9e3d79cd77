import { Duration, Effect, Option, Schedule, Stream } from "effect"
import { HttpBody, HttpClient, type HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { waitsOutside } from "../../http/request/OutsideWaits.ts"
import { bodyText, shownText } from "../../text/Utf8.ts"
import type { Bucket } from "../StorageSettings.ts"
import { S3Failed } from "./S3Failed.ts"
import { type S3Request, signed } from "./S3Signature.ts"
import { textIn } from "./Xml.ts"

/** How long S3 is waited for. */
export interface S3Times {
  /** Until a connection stands. */
  readonly connect: Duration.Duration
  /** For an answer. */
  readonly answer: Duration.Duration
  /** For a copy within the bucket, of up to 5 GiB. */
  readonly copy: Duration.Duration
  /** From one piece of a file to the next. */
  readonly between: Duration.Duration
  /** Before the second attempt; it doubles before the third. */
  readonly backoff: Duration.Duration
}

/** A request that is tried three times takes less than a minute, except copies. */
export const s3Times: S3Times = {
  connect: Duration.seconds(5),
  answer: Duration.seconds(15),
  copy: Duration.minutes(5),
  between: Duration.seconds(30),
  backoff: Duration.millis(250)
}

/** An answer that is over. */
export interface S3Answer {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

const codeOf = (text: string | undefined) => text !== undefined && /^\w{1,64}$/.test(text) ? text : "without a code"

const unanswered = (method: string, code: string) => new S3Failed({ method, status: Option.none(), code })

const systemCode = Option.liftPredicate((cause: unknown): cause is { readonly code: string } =>
  typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
)

// The error itself holds the request, and so the signature.
const lost = (method: string) => ({ reason }: HttpClientError.HttpClientError) =>
  unanswered(
    method,
    Option.match(systemCode(reason.cause), {
      onNone: () => "the connection was lost",
      onSome: ({ code }) => codeOf(code)
    })
  )

const refusedBy = (method: string, status: number, body: string) =>
  new S3Failed({ method, status: Option.some(status), code: codeOf(textIn(body, "Code")) })

const isError = (body: string) => /^\s*(?:<\?xml[^>]*>\s*)?<Error[\s>]/.test(body)

const bodyOf = (body: string | Uint8Array) =>
  typeof body === "string" ? HttpBody.text(body, "application/xml") : HttpBody.uint8Array(body)

/** The text of an answer; `None` if it is not UTF-8. */
const textOf = (method: S3Request["method"], response: HttpClientResponse.HttpClientResponse) =>
  Effect.mapError(
    bodyText(response),
    (error) => error._tag === "NotUtf8" ? unanswered(method, "the answer is not UTF-8") : lost(method)(error)
  )

/**
 * Asks a bucket, three times where that may help: each request that we send may be repeated. Whatever is not a success
 * fails with `S3Failed`.
 */
export const makeS3Client = (bucket: Bucket, http: HttpClient.HttpClient, times: S3Times) => {
  const send = Effect.fnUntraced(function*(request: S3Request) {
    const { headers, url } = yield* signed(bucket, request)
    const response = yield* Effect.mapError(
      http.execute(HttpClientRequest.make(request.method)(url, {
        headers,
        ...(request.body !== undefined && { body: bodyOf(request.body) })
      })),
      lost(request.method)
    )
    if (response.status >= 200 && response.status < 300) return response
    const body = yield* Effect.mapError(response.arrayBuffer, lost(request.method))
    return yield* refusedBy(request.method, response.status, shownText(new Uint8Array(body)))
  })

  const tried = <A>({ method }: S3Request, limit: Duration.Duration, attempt: Effect.Effect<A, S3Failed>) =>
    attempt.pipe(
      Effect.timeoutOrElse({ duration: limit, orElse: () => Effect.fail(unanswered(method, "time is up")) }),
      Effect.retry({
        while: ({ isTransient }) => isTransient,
        times: 2,
        schedule: Schedule.exponential(times.backoff)
      }),
      // Nobody outside learns our traces.
      Effect.provideService(HttpClient.TracerPropagationEnabled, false),
      waitsOutside
    )

  const answered = Effect.fnUntraced(function*(request: S3Request) {
    const response = yield* send(request)
    const body = yield* textOf(request.method, response)
    if (isError(body)) return yield* refusedBy(request.method, response.status, body)
    return { headers: response.headers, body }
  })

  /** The whole answer. */
  const ask = (request: S3Request, limit = times.answer): Effect.Effect<S3Answer, S3Failed> =>
    tried(request, limit, answered(request))

  /** A piece of exactly this length of an object, as many bytes as memory has room for. */
  const piece = (request: S3Request, length: number, limit = times.copy) =>
    tried(
      request,
      limit,
      Effect.gen(function*() {
        const response = yield* send(request)
        // All of it may be more than there is memory: it is not read.
        if (response.status !== 206) return yield* unanswered(request.method, "it sends no pieces of objects")
        const bytes = yield* Effect.mapError(response.arrayBuffer, lost(request.method))
        if (bytes.byteLength !== length) return yield* unanswered(request.method, "a piece of another length")
        return new Uint8Array(bytes)
      })
    )

  /** An answer whose body is read by `bytesOf`. */
  const open = (request: S3Request) => tried(request, times.answer, send(request))

  /** The body as it comes. If it breaks off in the middle, that is a defect: the first half has been passed on. */
  const bytesOf = (response: HttpClientResponse.HttpClientResponse): Stream.Stream<Uint8Array> =>
    response.stream.pipe(
      Stream.mapError(lost("GET")),
      Stream.timeoutOrElse({
        duration: times.between,
        orElse: () => Stream.fail(unanswered("GET", "time is up"))
      }),
      Stream.orDie
    )

  return { ask, piece, open, bytesOf }
}

/** What `makeS3Client` makes. */
export type S3Client = ReturnType<typeof makeS3Client>
