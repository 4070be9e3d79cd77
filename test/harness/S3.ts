import { Clock, Effect } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { listening } from "./Listening.ts"
import { escaped, etagOf, refusal, type S3Answer, type S3Call, type S3Object, xml } from "./S3Answers.ts"
import { makeMultipart } from "./S3Multipart.ts"
import { account, signatureProblem } from "./S3Signatures.ts"

/** The result of a call instead: this answer, a broken connection (`reset`), or the test's own action (`silence`). */
export type Instead = S3Answer | "reset" | "silence" | undefined

const bucket = "files"

const rangeOf = (header: string | undefined, size: number) => {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(header ?? "") ?? []
  return first === undefined
    ? undefined
    : { first: Number(first), last: Math.min(last === "" || last === undefined ? size - 1 : Number(last), size - 1) }
}

const put = (objects: Map<string, S3Object>, { body, key, request }: S3Call, now: number): S3Answer => {
  const { "content-length": length, "content-type": type = "binary/octet-stream", "if-none-match": none } =
    request.headers
  if (length === undefined) return refusal(411, "MissingContentLength")
  if (none === "*" && objects.has(key)) return refusal(412, "PreconditionFailed")
  objects.set(key, { body, type, etag: etagOf(body), modified: now })
  return { status: 200, headers: { etag: etagOf(body) } }
}

const copy = (objects: Map<string, S3Object>, { key, request }: S3Call, now: number): S3Answer => {
  const { "x-amz-copy-source": source, "x-amz-copy-source-if-match": match } = request.headers
  const from = objects.get(decodeURIComponent(String(source)).replace(new RegExp(`^/?${bucket}/`), ""))
  if (from === undefined) return refusal(404, "NoSuchKey")
  if (match !== undefined && match !== from.etag) return refusal(412, "PreconditionFailed")
  objects.set(key, { ...from, modified: now })
  return { status: 200, body: xml(`<CopyObjectResult><ETag>${from.etag}</ETag></CopyObjectResult>`) }
}

const get = (objects: Map<string, S3Object>, { key, query, request }: S3Call): S3Answer => {
  const found = objects.get(key)
  if (found === undefined) return refusal(404, "NoSuchKey")
  const { body, etag, type } = found
  const said = ["cache-control", "content-disposition", "content-type"].flatMap((name) => {
    const value = query.get(`response-${name}`)
    return value === null ? [] : [[name, value] as const]
  })
  const headers = { "content-type": type, etag, ...Object.fromEntries(said) }
  const range = rangeOf(request.headers.range, body.length)
  if (range === undefined) return { status: 200, headers, body }
  if (range.first >= body.length) return refusal(416, "InvalidRange")
  const said206 = { ...headers, "content-range": `bytes ${range.first}-${range.last}/${body.length}` }
  return { status: 206, headers: said206, body: body.subarray(range.first, range.last + 1) }
}

// Pages of two objects, with tokens that need escaping in XML and in an address.
const list = (objects: Map<string, S3Object>, { query }: S3Call): S3Answer => {
  const after = Buffer.from((query.get("continuation-token") ?? "").split("&+")[1] ?? "", "base64").toString()
  const keys = [...objects.keys()].filter((key) => key.startsWith(query.get("prefix") ?? "") && key > after).toSorted()
  const shown = keys.slice(0, 2)
  const next = keys.length > shown.length
    ? `<NextContinuationToken>${
      escaped(`next&+${Buffer.from(shown.at(-1) ?? "").toString("base64")}`)
    }</NextContinuationToken>`
    : ""
  const contents = shown.map((key) => {
    const { body, modified } = objects.get(key) ?? { body: "", modified: 0 }
    const at = new Date(modified).toISOString()
    return `<Contents><Key>${
      escaped(key)
    }</Key><LastModified>${at}</LastModified><Size>${body.length}</Size></Contents>`
  })
  const body = `<ListBucketResult><Name>${bucket}</Name>${next}${contents.join("")}</ListBucketResult>`
  return { status: 200, body: xml(body) }
}

const answerOf = (objects: Map<string, S3Object>, call: S3Call, now: number): S3Answer => {
  if (call.method === "PUT") {
    return call.request.headers["x-amz-copy-source"] === undefined ? put(objects, call, now) : copy(objects, call, now)
  }
  if (call.method === "DELETE") {
    objects.delete(call.key)
    return { status: 204 }
  }
  return call.key === "" ? list(objects, call) : get(objects, call)
}

const give = (response: ServerResponse, { body = "", headers = {}, status }: S3Answer, isHead: boolean) => {
  const length = status === 204 ? {} : { "content-length": Buffer.byteLength(body) }
  response.writeHead(status, { ...headers, ...length, "x-amz-request-id": "test" })
  response.end(isHead ? undefined : body)
}

const bodyOf = async (request: IncomingMessage) => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/**
 * A server that speaks S3 on the loopback interface, with one bucket in memory. Every request needs the signature that
 * AWS would make, at the time of the test's clock.
 */
export const startS3 = Effect.gen(function*() {
  const clock = yield* Clock.Clock
  const objects = new Map<string, S3Object>()
  const calls: Array<S3Call> = []
  const multipart = makeMultipart(bucket, objects)
  const state: { before: (call: S3Call) => Instead | Promise<Instead> } = { before: () => undefined }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "", "http://any")
    const path = decodeURIComponent(url.pathname)
    const key = request.headers.host?.startsWith(`${bucket}.`) === true ? path.slice(1) : path.slice(bucket.length + 2)
    const call = {
      method: request.method ?? "",
      key,
      query: url.searchParams,
      request,
      response,
      body: await bodyOf(request)
    }
    calls.push(call)
    const instead = await state.before(call)
    if (instead === "silence") return
    if (instead === "reset") return void request.socket.resetAndDestroy()
    const now = clock.currentTimeMillisUnsafe()
    const problem = await signatureProblem(request, call.body, now)
    const given = problem === undefined
      ? instead ?? multipart.answerOf(call, now) ?? answerOf(objects, call, now)
      : refusal(403, problem)
    give(response, given, call.method === "HEAD")
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(Error(String(error))))
  })
  const port = yield* listening(server)
  const keys = `${account.accessKeyId}:${encodeURIComponent(account.secretAccessKey)}`
  return {
    port,
    /** The value of `STORAGE_URL`. */
    url: `s3://${keys}@127.0.0.1:${port}/${bucket}/club-files?region=${account.region}&tls=false`,
    objects,
    /** The keys of all objects, without the prefix. */
    list: () => [...objects.keys()].map((key) => key.replace("club-files/", "")).toSorted(),
    contentOf: (key: string) => objects.get(`club-files/${key}`)?.body.toString(),
    calls,
    /** The numbers of the stored parts of each open upload, by its key. */
    inParts: multipart.list,
    /** Runs `hook` before each answer. It may choose another result. */
    before: (hook: (call: S3Call) => Instead | Promise<Instead>) => {
      state.before = hook
    }
  }
})

export type TestS3 = Effect.Success<typeof startS3>
