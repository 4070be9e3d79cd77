import { createHash, randomUUID } from "node:crypto"
import { escaped, etagOf, refusal, type S3Answer, type S3Call, type S3Object, xml } from "./S3Answers.ts"

interface OpenUpload {
  readonly id: string
  readonly key: string
  readonly type: string
  /** In milliseconds. */
  readonly initiated: number
  readonly parts: Map<number, Buffer>
}

const smallest = 5 * 1024 * 1024

const timeOf = (millis: number) => new Date(millis).toISOString()

const listed = ({ id, initiated, key }: OpenUpload) =>
  `<Upload><Key>${escaped(key)}</Key><UploadId>${escaped(id)}</UploadId><Initiated>${
    timeOf(initiated)
  }</Initiated></Upload>`

/** The parts that a request lists, each with its ETag. */
const askedIn = (body: string) =>
  [...body.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)]
    .map(([, number = "", etag = ""]) => ({ number: Number(number), etag }))

/** Uploads in parts, as in S3: an upload becomes an object only when all parts are joined. */
export const makeMultipart = (bucket: string, objects: Map<string, S3Object>) => {
  const open = new Map<string, OpenUpload>()

  // Pages of two, as in the list of objects.
  const list = ({ query }: S3Call): S3Answer => {
    const [key, id] = [query.get("key-marker") ?? "", query.get("upload-id-marker") ?? ""]
    const rest = [...open.values()]
      .filter((one) => one.key.startsWith(query.get("prefix") ?? "") && `${one.key} ${one.id}` > `${key} ${id}`)
      .toSorted((one, other) => `${one.key} ${one.id}` < `${other.key} ${other.id}` ? -1 : 1)
    const shown = rest.slice(0, 2)
    const last = shown.at(-1)
    const next = last === undefined || rest.length === shown.length
      ? "<IsTruncated>false</IsTruncated>"
      : `<IsTruncated>true</IsTruncated><NextKeyMarker>${escaped(last.key)}</NextKeyMarker>` +
        `<NextUploadIdMarker>${escaped(last.id)}</NextUploadIdMarker>`
    const body = `<ListMultipartUploadsResult><Bucket>${bucket}</Bucket>${next}${shown.map(listed).join("")}`
    return { status: 200, body: xml(`${body}</ListMultipartUploadsResult>`) }
  }

  const begin = ({ key, request }: S3Call, now: number): S3Answer => {
    const id = `${randomUUID()}&+/`
    const type = request.headers["content-type"] ?? "binary/octet-stream"
    open.set(id, { id, key, type, initiated: now, parts: new Map() })
    const body = `<InitiateMultipartUploadResult><UploadId>${escaped(id)}</UploadId></InitiateMultipartUploadResult>`
    return { status: 200, body: xml(body) }
  }

  const partsOf = ({ parts }: OpenUpload): S3Answer => {
    const each = [...parts].toSorted(([one], [other]) => one - other).map(([number, body]) => {
      const etag = etagOf(body).replaceAll("\"", "&quot;")
      return `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag><Size>${body.length}</Size></Part>`
    })
    return { status: 200, body: xml(`<ListPartsResult>${each.join("")}</ListPartsResult>`) }
  }

  const putTogether = (upload: OpenUpload, call: S3Call, now: number): S3Answer => {
    const asked = askedIn(call.body.toString())
    const bodies = asked.map(({ etag, number }) => {
      const body = upload.parts.get(number)
      return body !== undefined && etagOf(body) === etag ? body : undefined
    })
    if (asked.length === 0 || bodies.includes(undefined)) return refusal(400, "InvalidPart")
    const parts = bodies.flatMap((body) => body ?? [])
    if (parts.slice(0, -1).some(({ length }) => length < smallest)) return refusal(400, "EntityTooSmall")
    const body = Buffer.concat(parts)
    const etag = `"${createHash("md5").update(body).digest("hex")}-${parts.length}"`
    objects.set(call.key, { body, type: upload.type, etag, modified: now })
    open.delete(upload.id)
    return { status: 200, body: xml("<CompleteMultipartUploadResult></CompleteMultipartUploadResult>") }
  }

  const ofUpload = (upload: OpenUpload, call: S3Call, now: number): S3Answer => {
    if (call.method === "GET") return partsOf(upload)
    if (call.method === "POST") return putTogether(upload, call, now)
    if (call.method === "PUT") {
      upload.parts.set(Number(call.query.get("partNumber")), call.body)
      return { status: 200, headers: { etag: etagOf(call.body) } }
    }
    open.delete(upload.id)
    return { status: 204 }
  }

  /** The answer to a call; undefined if the call is not about an upload in parts. */
  const answerOf = (call: S3Call, now: number): S3Answer | undefined => {
    if (call.query.has("uploads")) return call.method === "GET" ? list(call) : begin(call, now)
    const id = call.query.get("uploadId")
    if (id === null) return undefined
    const upload = open.get(id)
    return upload?.key === call.key ? ofUpload(upload, call, now) : refusal(404, "NoSuchUpload")
  }

  return {
    answerOf,
    list: () =>
      [...open.values()].map(({ key, parts }) =>
        [key.replace("club-files/", ""), [...parts.keys()].toSorted()] as const
      )
  }
}
