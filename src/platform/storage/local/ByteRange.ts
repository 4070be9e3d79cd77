import { Option } from "effect"

/** Bytes of a file, the last one included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

const shape = /^bytes=(\d{0,15})-(\d{0,15})$/

/**
 * The part of a file of this size that a `Range` header asks for (RFC 9110, 14.2). `whole` without a header, or for one
 * that a server may ignore, such as several ranges. `None` if the range lies outside of the file.
 */
export const byteRange = (header: string | undefined, size: number): Option.Option<ByteRange | "whole"> => {
  const [, from = "", to = ""] = shape.exec(header?.trim() ?? "") ?? []
  if (from === "" && to === "") return Option.some("whole")
  if (from === "") {
    const length = Math.min(Number(to), size)
    return length === 0 ? Option.none() : Option.some({ first: size - length, last: size - 1 })
  }
  const first = Number(from)
  if (to !== "" && Number(to) < first) return Option.some("whole")
  if (first >= size) return Option.none()
  return Option.some({ first, last: to === "" ? size - 1 : Math.min(Number(to), size - 1) })
}
