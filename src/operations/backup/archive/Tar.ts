/** Bytes that everything in a tar file is a multiple of. */
export const blockLength = 512

/** An entry of an archive under a name of its own. */
export interface TarEntry {
  readonly name: string
  readonly size: number
}

const nameLength = 100
const prefixLength = 155

/** Number of zero bytes after this many bytes of content. */
export const paddingOf = (size: number): number => (blockLength - size % blockLength) % blockLength

/** Two empty blocks end the archive. */
export const tarEnd = Buffer.alloc(2 * blockLength)

// A long name is split at a slash: POSIX.1-1988, "ustar".
const split = (name: string): readonly [prefix: string, name: string] | undefined => {
  if (name.length <= nameLength) return ["", name]
  const at = name.indexOf("/", name.length - nameLength - 1)
  return at > 0 && at <= prefixLength ? [name.slice(0, at), name.slice(at + 1)] : undefined
}

const checksumOf = (header: Buffer) => {
  const blank = Buffer.from(header)
  blank.fill(" ", 148, 156)
  return blank.reduce((sum, byte) => sum + byte, 0)
}

const octal = (value: number, length: number) => `${value.toString(8).padStart(length, "0")}\0`

/** The block before a file's content; undefined for a name or size that the format has no room for. 1 to 8 GiB fit. */
export const encodeHeader = ({ name, size }: TarEntry): Buffer | undefined => {
  const parts = split(name)
  if (parts === undefined || size >= 8 ** 11 || Buffer.byteLength(name) !== name.length) return undefined
  const header = Buffer.alloc(blockLength)
  header.write(parts[1], 0)
  header.write(octal(0o600, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(size, 11), 124)
  header.write(octal(0, 11), 136)
  header.write("0", 156)
  header.write("ustar\u000000", 257)
  header.write(parts[0], 345)
  header.write(`${octal(checksumOf(header), 6)} `, 148)
  return header
}

const textAt = (header: Buffer, from: number, to: number) => header.toString("latin1", from, to).replace(/\0.*$/s, "")

/**
 * The entry that a block announces: `"end"` for the empty block that ends the archive, undefined for a header that is
 * not ours.
 */
export const decodeHeader = (header: Buffer): TarEntry | "end" | undefined => {
  if (header.every((byte) => byte === 0)) return "end"
  if (Number.parseInt(textAt(header, 148, 156), 8) !== checksumOf(header)) return undefined
  const [prefix, name] = [textAt(header, 345, 500), textAt(header, 0, 100)]
  const size = Number.parseInt(textAt(header, 124, 136), 8)
  if (textAt(header, 156, 157) !== "0" || !Number.isSafeInteger(size)) return undefined
  return { name: prefix === "" ? name : `${prefix}/${name}`, size }
}
