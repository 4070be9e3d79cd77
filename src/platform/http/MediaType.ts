/** Names of a type in browsers, systems and scripts, each with the name that Turma uses. */
const aliases: ReadonlyMap<string, string> = new Map(Object.entries({
  "application/epub+zip": ["application/epub", "application/x-epub+zip"],
  "application/pdf": ["application/acrobat", "application/x-pdf", "text/pdf"],
  "application/zip": [
    "application/x-zip",
    "application/x-zip-compressed",
    "application/zip-compressed",
    "multipart/x-zip"
  ],
  "audio/mp4": ["audio/m4a", "audio/mp4a-latm", "audio/x-m4a", "audio/x-mp4"],
  "audio/mpeg": ["audio/mp3", "audio/mpeg3", "audio/mpg", "audio/x-mp3", "audio/x-mpeg", "audio/x-mpeg-3"],
  "audio/ogg": ["application/ogg", "audio/opus", "audio/vorbis", "audio/x-ogg"],
  "audio/wav": ["audio/vnd.wave", "audio/wave", "audio/x-pn-wav", "audio/x-wav"],
  "image/gif": ["image/x-gif"],
  "image/jpeg": ["image/jpg", "image/pjpeg", "image/x-jpeg"],
  "image/png": ["image/apng", "image/x-png"],
  "image/webp": ["image/x-webp"],
  "text/csv": [
    "application/csv",
    "application/x-csv",
    "text/comma-separated-values",
    "text/x-comma-separated-values",
    "text/x-csv"
  ],
  "text/markdown": ["text/md", "text/x-markdown"],
  "video/mp4": ["application/mp4", "video/m4v", "video/x-m4v", "video/x-mp4"],
  "video/quicktime": ["video/mov", "video/x-quicktime"]
}).flatMap(([name, others]) => others.map((other) => [other, name])))

/** Types by the ends of the names of files, for where a system knows no type, or names another. */
const endings: ReadonlyMap<string, string> = new Map(Object.entries({
  csv: "text/csv",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  epub: "application/epub+zip",
  gif: "image/gif",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  m4a: "audio/mp4",
  m4v: "video/mp4",
  markdown: "text/markdown",
  md: "text/markdown",
  mov: "video/quicktime",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  oga: "audio/ogg",
  ogg: "audio/ogg",
  opus: "audio/ogg",
  pdf: "application/pdf",
  png: "image/png",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  txt: "text/plain",
  wav: "audio/wav",
  webm: "video/webm",
  webp: "image/webp",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  zip: "application/zip"
}))

/** Types that say nothing of the file, and that of Excel, which Windows gives every CSV. */
const untold: ReadonlySet<string> = new Set([
  "",
  "application/download",
  "application/force-download",
  "application/octet-stream",
  "application/vnd.ms-excel",
  "application/x-download",
  "binary/octet-stream"
])

/**
 * The type of a file as Turma knows it: without parameters, in small letters, aliases by their one name. Where it says
 * nothing, the end of the file's name says it. A type that nobody knows is as it was sent.
 */
export const mediaTypeOf = (sent: string, file_name = ""): string => {
  const [name = ""] = sent.split(";")
  const type = name.trim().toLowerCase()
  if (!untold.has(type)) return aliases.get(type) ?? type
  const [, ending = ""] = /\.([^.]+)$/.exec(file_name.trim().toLowerCase()) ?? []
  return endings.get(ending) ?? type
}
