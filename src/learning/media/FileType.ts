import type { MediaKind, MediaPurpose, StudentPurpose } from "./Media.ts"

/** A type that may be uploaded: its kind, and which types may be detected from its first bytes. */
export interface FileType {
  readonly kind: MediaKind
  /** As `file-type` names them; empty for text, which has no signature. */
  readonly detectedTypes: ReadonlyArray<string>
}

const mebibyte = 1024 * 1024

/** The largest file of each kind, in bytes. */
const sizeLimits: Readonly<Record<MediaKind, number>> = {
  image: 20 * mebibyte,
  document: 200 * mebibyte,
  file: 1024 * mebibyte,
  audio: 5 * 1024 * mebibyte,
  video: 5 * 1024 * mebibyte
}

const zip = "application/zip"
const office = "application/vnd.openxmlformats-officedocument"

const image = (...detectedTypes: ReadonlyArray<string>): FileType => ({ kind: "image", detectedTypes })
const video = (...detectedTypes: ReadonlyArray<string>): FileType => ({ kind: "video", detectedTypes })
const audio = (...detectedTypes: ReadonlyArray<string>): FileType => ({ kind: "audio", detectedTypes })
const document = (...detectedTypes: ReadonlyArray<string>): FileType => ({ kind: "document", detectedTypes })

// An office document is an archive, and only its first entry may say which kind. MP4, Ogg and Matroska begin alike for
// sound and video.
const types: ReadonlyMap<string, FileType> = new Map([
  ["image/png", image("image/png", "image/apng")],
  ["image/jpeg", image("image/jpeg")],
  ["image/gif", image("image/gif")],
  ["image/webp", image("image/webp")],
  ["video/mp4", video("video/mp4", "video/x-m4v", "video/quicktime")],
  ["video/webm", video("video/webm", "video/matroska")],
  ["video/quicktime", video("video/quicktime", "video/mp4")],
  ["audio/mpeg", audio("audio/mpeg")],
  ["audio/mp4", audio("audio/mp4", "audio/x-m4a", "video/mp4")],
  ["audio/ogg", audio("audio/ogg", "audio/ogg; codecs=opus", "application/ogg")],
  ["audio/wav", audio("audio/wav")],
  ["application/pdf", document("application/pdf")],
  ...["wordprocessingml.document", "spreadsheetml.sheet", "presentationml.presentation"].map((part) => {
    const mime = `${office}.${part}`
    return [mime, document(mime, zip)] as const
  }),
  ["application/epub+zip", document("application/epub+zip", zip)],
  ["text/plain", document()],
  ["text/csv", document()],
  ["text/markdown", document()],
  [zip, { kind: "file", detectedTypes: [zip] }]
])

/** Undefined if files of this type are not accepted. */
export const fileTypeOf = (mime: string): FileType | undefined => types.get(mime)

/** The kinds that a student may upload for each purpose, and the largest size, in bytes. */
const ofStudents: Readonly<
  Record<StudentPurpose, { readonly kinds: ReadonlyArray<MediaKind>; readonly size_bytes: number }>
> = {
  comment: { kinds: ["image"], size_bytes: 10 * mebibyte },
  ask: { kinds: ["image"], size_bytes: 10 * mebibyte },
  submission: { kinds: ["document", "image", "video"], size_bytes: 100 * mebibyte }
}

/** The largest file of this kind for this purpose, in bytes; undefined if the kind is not accepted for it. */
export const limitOf = (purpose: MediaPurpose, kind: MediaKind): number | undefined => {
  if (purpose === "library" || purpose === "mentorship") return sizeLimits[kind]
  const { kinds, size_bytes } = ofStudents[purpose]
  return kinds.includes(kind) ? Math.min(size_bytes, sizeLimits[kind]) : undefined
}

/** The types that are accepted for this purpose. */
export const takenFor = (purpose: MediaPurpose): ReadonlyArray<string> =>
  [...types].flatMap(([mime, { kind }]) => limitOf(purpose, kind) === undefined ? [] : [mime])

/** True if a file may be of this type. `found` is the type from its first bytes, undefined if unknown. */
export const isOfType = (mime: string, found: string | undefined): boolean => {
  const type = fileTypeOf(mime)
  if (type === undefined) return false
  return found === undefined ? type.detectedTypes.length === 0 : type.detectedTypes.includes(found)
}
