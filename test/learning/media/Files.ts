import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { deflateRawSync } from "node:zlib"
import { StorageKey } from "../../../src/platform/storage/Storage.ts"
import { at, send } from "../../harness/App.ts"
import { call } from "../../harness/RawHttp.ts"

// Real first bytes of files, too small for display.

/** 3 × 2 pixels. */
export const png = Buffer.concat([
  Buffer.from("89504e470d0a1a0a0000000d4948445200000003000000020802000000", "hex"),
  Buffer.from("12345678", "hex"),
  Buffer.from("0000000049444154000000000000000049454e44ae426082", "hex")
])

/** 3 × 2 pixels, after a block like those of cameras. */
export const jpeg = Buffer.concat([
  Buffer.from("ffd8ffe00010", "hex"),
  Buffer.from("4a46494600010100000100010000", "hex"),
  Buffer.from("ffc0001108000200030301220002110103110100000000000000000000ffd9", "hex")
])

/** 3 × 2 pixels. */
export const gif = Buffer.concat([
  Buffer.from("GIF89a"),
  Buffer.from("0300020080000000000000000000002c00000000", "hex")
])

export const pdf = Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n")

export const html = Buffer.from("<html><script>alert(1)</script></html>")

export const exe = Buffer.concat([Buffer.from("MZ"), Buffer.alloc(200)])

/** An archive with one packed file of this name. */
export const archive = (name: string, content: string) => {
  const packed = deflateRawSync(content)
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(20, 4)
  head.writeUInt16LE(8, 8)
  head.writeUInt32LE(packed.length, 18)
  head.writeUInt32LE(content.length, 22)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, Buffer.from(name), packed])
}

interface Caller {
  readonly path: string
  readonly token: string
}

/** The announcement of a file. */
export const announced = (file: Buffer, given: Record<string, unknown> = {}) => ({
  file_name: "photo.png",
  mime: "image/png",
  size_bytes: file.length,
  ...given
})

/** Begins an upload in the library, or as a student if the body has a `purpose`. */
export const begin = (caller: Caller, body: Record<string, unknown>) =>
  send("POST", `${caller.path}${"purpose" in body ? "/classroom" : ""}/media`, { token: caller.token, body })

/** Sends the file as the answer to `begin` demands. */
export const sendFile = Effect.fn("sendFile")(function*(begun: { readonly json: unknown }, file: Buffer) {
  const upload = Object(at(begun.json, "data", "upload"))
  const { pathname } = new URL(upload.url)
  return yield* call(upload.method, pathname, {
    headers: { "Content-Type": upload.headers["content-type"] },
    body: file
  })
})

/** Reports that the client has sent the file. */
export const complete = (caller: Caller, begun: { readonly json: unknown }, as: "staff" | "student" = "staff") => {
  const id = String(at(begun.json, "data", "media", "id"))
  return send("POST", `${caller.path}${as === "student" ? "/classroom" : ""}/media/${id}/complete`, caller)
}

/** A record with its file. Returns the id. */
export const uploaded = Effect.fn("uploaded")(function*(
  caller: Caller,
  file: Buffer,
  given: Record<string, unknown> = {}
) {
  const begun = yield* begin(caller, announced(file, given))
  yield* sendFile(begun, file)
  const { json } = yield* complete(caller, begun, "purpose" in given ? "student" : "staff")
  return String(at(json, "data", "id"))
})

const decodePlaces = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ storage_key: StorageKey })]))

/** The storage key of a file. The API shows it only in signed addresses. */
export const placeOf = Effect.fn("placeOf")(function*(id: string) {
  const sql = yield* SqlClient.SqlClient
  const [{ storage_key }] = yield* decodePlaces(yield* sql`select storage_key from media where id = ${id}`)
  return storage_key
})
