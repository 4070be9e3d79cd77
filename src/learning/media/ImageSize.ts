/** In pixels. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** The largest that PNG allows. A header that says more is broken. */
const longestSide = 2 ** 31 - 1

const isSide = (pixels: number) => pixels > 0 && pixels <= longestSide

const text = (bytes: DataView, at: number, length: number) =>
  String.fromCharCode(...Array.from({ length }, (_, n) => bytes.getUint8(at + n)))

const ofPng = (bytes: DataView): ImageSize => ({ width: bytes.getUint32(16), height: bytes.getUint32(20) })

const ofGif = (bytes: DataView): ImageSize => ({ width: bytes.getUint16(6, true), height: bytes.getUint16(8, true) })

const uint24 = (bytes: DataView, at: number) => bytes.getUint16(at, true) + bytes.getUint8(at + 2) * 0x10000

// Each of the three formats of WebP has its own first chunk.
const ofWebp = (bytes: DataView): ImageSize | undefined => {
  switch (text(bytes, 12, 4)) {
    case "VP8X":
      return { width: uint24(bytes, 24) + 1, height: uint24(bytes, 27) + 1 }
    case "VP8L": {
      const packed = bytes.getUint32(21, true)
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
    }
    case "VP8 ":
      return { width: bytes.getUint16(26, true) & 0x3fff, height: bytes.getUint16(28, true) & 0x3fff }
    default:
      return undefined
  }
}

// C4, C8 and CC are between the frame headers but are not frame headers.
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

const ofJpeg = (bytes: DataView): ImageSize | undefined => {
  for (let at = 2; bytes.getUint8(at) === 0xff; at += 2 + bytes.getUint16(at + 2)) {
    if (isFrame(bytes.getUint8(at + 1))) return { width: bytes.getUint16(at + 7), height: bytes.getUint16(at + 5) }
  }
  return undefined
}

const readers: Readonly<Record<string, (bytes: DataView) => ImageSize | undefined>> = {
  "image/png": ofPng,
  "image/gif": ofGif,
  "image/webp": ofWebp,
  "image/jpeg": ofJpeg
}

/** The size of an image from its first bytes; undefined if they do not have it, or if it is not an image. */
export const imageSize = (mime: string, start: Uint8Array): ImageSize | undefined => {
  try {
    const size = readers[mime]?.(new DataView(start.buffer, start.byteOffset, start.byteLength))
    return size !== undefined && isSide(size.width) && isSide(size.height) ? size : undefined
  } catch (error) {
    // The header is longer than the bytes that are there.
    if (error instanceof RangeError) return undefined
    throw error
  }
}
