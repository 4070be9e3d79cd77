import type { PlatformError } from "effect"
import { NotUtf8 } from "./Utf8.ts"

/** Said of bytes that are not UTF-8. */
export const notText = "it is not UTF-8 text"

/** What codes of the system mean for a file that is read. */
const meanings: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is no folder",
  EACCES: "this user may not read it",
  EPERM: "this user may not read it"
}

/** The code of the system, such as `ENOENT`; undefined where there is none. */
export const codeOf = (cause: unknown): string | undefined =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : undefined

/** Why a file was not read, to stand behind "cannot read it: ". A rare code of the system stands for itself. */
export const whyUnreadable = ({ reason }: PlatformError.PlatformError): string => {
  if (reason.cause instanceof NotUtf8) return notText
  const code = codeOf(reason.cause)
  return code === undefined ? reason._tag : meanings[code] ?? code
}
