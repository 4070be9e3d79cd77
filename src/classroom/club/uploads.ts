import { turma } from "../../browser/client/Api.ts"
import { orMissed } from "../../browser/client/upload/orMissed.ts"
import { type Parts, sendFile, waitAfter, wholeFile } from "../../browser/client/upload/sending.ts"
import { restOrOnline, sendPart } from "../../browser/client/upload/wire.ts"
import { type Schemas, TurmaError } from "../../sdk/index.ts"
import { ofClub } from "./View.ts"

/** Where a file may appear later. */
type Purpose = "ask" | "comment" | "submission"

const isCode = (thrown: unknown, code: string) => thrown instanceof TurmaError && thrown.code === code

const nothingMissing: Parts = { part_size: 1, part_count: 0, received: [], missing: [] }

/** Sends a file of the student's, in parts if the storage takes them, and goes on after a lost connection. */
export const sendStudentFile = async (
  file: File,
  purpose: Purpose,
  signal: AbortSignal,
  tell: (bytes: number) => void
): Promise<Schemas["Media"]> => {
  const body = { file_name: file.name, mime: file.type, size_bytes: file.size, purpose }
  const { data: { media, upload } } = await turma.classroomMedia.create({ ...ofClub, body }, { signal })
  const own = { ...ofClub, mediaId: media.id }
  const parts = async (): Promise<Parts> => {
    try {
      return (await turma.classroomMedia.resume(own, { signal })).data
    } catch (thrown) {
      // It was confirmed before, and the answer did not come.
      if (isCode(thrown, "upload_completed")) return nothingMissing
      if (isCode(thrown, "upload_in_parts_unavailable") && upload !== null) return wholeFile(upload, file.size)
      throw thrown
    }
  }
  return sendFile<Schemas["Media"]>({
    parts: () => orMissed(parts),
    send: (part, told) => sendPart(file, part, signal, told),
    complete: () => orMissed(async () => (await turma.classroomMedia.complete(own, { signal })).data),
    rest: (failures) => restOrOnline(waitAfter(failures), signal),
    tell
  }, file.size)
}
