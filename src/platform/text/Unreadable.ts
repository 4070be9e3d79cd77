import type { Cause, PlatformError } from "effect"
import { NotUtf8 } from "./Utf8.ts"

/** Said of bytes that are not UTF-8. */
export const notText = "it is not UTF-8 text"

/** Meanings of the system's codes for any file. */
const meanings = {
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is no folder"
}

/** Their meanings for reading a file. */
const ofReading: Readonly<Record<string, string>> = {
  ...meanings,
  ENOENT: "there is no such file",
  EACCES: "this user may not read it",
  EPERM: "this user may not read it"
}

/** Their meanings for writing a file. */
const ofWriting: Readonly<Record<string, string>> = {
  ...meanings,
  // A folder above it could not be created.
  EEXIST: meanings.ENOTDIR,
  // Node's own, where a folder was to be replaced.
  ERR_FS_EISDIR: meanings.EISDIR,
  ENOENT: "there is no such folder",
  EACCES: "this user may not write it",
  EPERM: "this user may not write it",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file may not grow so large"
}

/** The code of the system, such as `ENOENT`; undefined without one. */
export const codeOf = (cause: unknown): string | undefined =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : undefined

/** Why a file was not read, to stand behind "cannot read it: ". A rare code of the system stands for itself. */
export const whyUnreadable = ({ reason }: PlatformError.PlatformError): string => {
  if (reason.cause instanceof NotUtf8) return notText
  const code = codeOf(reason.cause)
  return code === undefined ? reason._tag : ofReading[code] ?? code
}

/** Why a file was not written, to stand behind "cannot write it: ". */
export const whyUnwritable = (error: PlatformError.PlatformError | Cause.UnknownError): string => {
  const [cause, kind] = error._tag === "PlatformError"
    ? [error.reason.cause, error.reason._tag]
    : [error.cause, error._tag]
  const code = codeOf(cause)
  return code === undefined ? kind : ofWriting[code] ?? code
}
