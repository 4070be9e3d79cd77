// Patch of undici 8.12.4. Without it, an attempt fails whose receiver sends `100 Continue` before its answer: undici takes
// one that it did not ask for as a broken connection.
import type { TLSSocket } from "node:tls"

const [lineFeed, carriageReturn, zero, one, two] = [0x0a, 0x0d, 0x30, 0x31, 0x32]

/** Where the three digits of a status line begin: behind `HTTP/1.1 `. */
const firstDigit = 9

/** The rest of this answer is not read: its status is the final one. */
const done = -1

/**
 * Makes `100 Continue` an answer that undici can skip, as it skips every other interim answer (RFC 9110, 15.2). A 100
 * becomes 102 before undici reads it. At most one byte of an interim status line changes.
 */
export class InterimAnswers {
  /** Bytes of the status line that were read, or `done`. */
  #column = done
  #isInterim = false
  #isZero = false
  #isEmptyLine = false

  /** Looks at all that undici reads from this socket. */
  constructor(socket: TLSSocket) {
    const read = socket.read.bind(socket)
    socket.read = (size?: number) => {
      const chunk: unknown = read(size)
      if (this.#column !== done && chunk instanceof Uint8Array) this.rename(chunk)
      return chunk
    }
  }

  /** A request is about to be written: what is read next is the beginning of its answer. */
  expect(): void {
    this.#column = 0
    this.#isInterim = false
  }

  /** Takes the next bytes of an answer. */
  rename(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length && this.#column !== done; at++) {
      if (this.#isInterim) this.#skip(chunk[at])
      else this.#readStatus(chunk, at)
    }
  }

  // The head of an interim answer ends with an empty line, and another answer follows.
  #skip(byte: number | undefined): void {
    if (byte === carriageReturn) return
    if (byte !== lineFeed) this.#isEmptyLine = false
    else if (this.#isEmptyLine) this.expect()
    else this.#isEmptyLine = true
  }

  #readStatus(chunk: Uint8Array, at: number): void {
    const byte = chunk[at]
    // undici skips empty lines before a status line too.
    if (this.#column === 0 && (byte === lineFeed || byte === carriageReturn)) return
    const digit = this.#column++ - firstDigit
    if (digit === 0 && byte !== one) this.#column = done
    else if (digit === 1) this.#isZero = byte === zero
    else if (digit === 2) {
      if (this.#isZero && byte === zero) chunk[at] = two
      this.#isInterim = true
      this.#isEmptyLine = false
    }
  }
}
