import type { IconName } from "../../../browser/parts/icons.ts"
import type { Schemas } from "../../../sdk/index.ts"

// Files as a row shows them. Pure.

/** A file of a repository. */
export type File = Schemas["RepositoryFile"]

/** The picture of each kind of file. */
export const icons: Readonly<Record<File["kind"], IconName>> = {
  audio: "sound",
  document: "document",
  file: "file",
  image: "image",
  video: "play"
}

/** The ending of a file's name, as people call the file: `PDF`. Undefined if it has no usual one. */
export const endingOf = ({ file_name }: Pick<File, "file_name">): string | undefined =>
  /[^.]\.([a-z0-9]{1,5})$/i.exec(file_name ?? "")?.[1]?.toUpperCase()

/** How a reader can look at a file without saving it: in the page, or in the browser's own viewer. */
export const viewOf = ({ kind, mime }: Pick<File, "kind" | "mime">): "page" | "browser" | undefined => {
  if (kind === "image" && mime !== "image/svg+xml") return "page"
  return mime === "application/pdf" ? "browser" : undefined
}
