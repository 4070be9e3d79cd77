import { constants, deflateRawSync, deflateSync } from "node:zlib"

const escaped = (text: string) => text.replaceAll(/[\\()]/g, "\\$&")

/** Lines of about 80 characters, as a typesetter breaks them. */
const linesOf = (text: string) => text.match(/.{1,80}(?:\s+|$)|\S+/g)?.map((line) => line.trimEnd()) ?? []

const contentOf = (page: string) => {
  const shown = linesOf(page).map((line) => `(${escaped(line)}) Tj T*`).join("\n")
  return `BT /F1 10 Tf 50 780 Td 12 TL\n${shown}\nET`
}

/** A file with these objects. The first one is the catalog. */
const fileOf = (objects: ReadonlyArray<string>, trailer = ""): Uint8Array<ArrayBuffer> => {
  let file = "%PDF-1.4\n"
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const start = file.length
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("")
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`
  return new Uint8Array(Buffer.from(file, "latin1"))
}

/** A PDF file with these pages of text, in characters of Latin-1. `trailer` is appended to its trailer. */
export const pdfOf = (pages: ReadonlyArray<string>, { trailer = "" } = {}): Uint8Array<ArrayBuffer> => {
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`).join(" ")
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ...pages.flatMap((page, index) => {
      const content = contentOf(page)
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${
          5 + 2 * index
        } 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`
      ]
    })
  ]
  return fileOf(objects, trailer)
}

/** A PDF file with this many pages of the same content, compressed for `FlateDecode`. */
const packed = (content: Uint8Array, pages: number): Uint8Array<ArrayBuffer> => {
  const head = `%PDF-1.4
1 0 obj
<< /Type /Catalog /Pages 2 0 R >>
endobj
2 0 obj
<< /Type /Pages /Kids [${Array.from({ length: pages }, (_, n) => `${4 + n} 0 R`).join(" ")}] /Count ${pages} >>
endobj
${
    Array.from(
      { length: pages },
      (_, n) =>
        `${4 + n} 0 obj
<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 3 0 R /Resources << >> >>
endobj
`
    ).join("")
  }3 0 obj
<< /Length ${content.length} /Filter /FlateDecode >>
stream
`
  const tail = "\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n"
  return new Uint8Array(Buffer.concat([Buffer.from(head), content, Buffer.from(tail)]))
}

/** A PDF file with one page, whose content unpacks to this many MiB of white space. */
export const unpackingTo = (mebibytes: number): Uint8Array<ArrayBuffer> => {
  // An empty stored block ends each part at a whole byte, so parts can follow one another.
  const part = deflateRawSync(Buffer.alloc(1024 * 1024, " "), { finishFlush: constants.Z_SYNC_FLUSH })
  return packed(Buffer.concat([Buffer.from("789c", "hex"), ...Array.from({ length: mebibytes }, () => part)]), 1)
}

/** A small PDF file of 1000 empty pages. Each takes a large part of a second to read. */
export const grinding = (): Uint8Array<ArrayBuffer> => packed(deflateSync("q 1 0 0 1 0 0 cm Q\n".repeat(100_000)), 1000)

const stream = (dictionary: string, content: string) =>
  `<< ${dictionary} /Length ${content.length} >>\nstream\n${content}\nendstream`

const onePage = (resources: string, content: string, others: ReadonlyArray<string>) =>
  fileOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << ${resources} >> >>`,
    stream("", content),
    ...others
  ])

/** A font outside the file, with a character set and an encoding that every reader must know. */
const predefined = (encoding: string, ordering: string, name: string) => [
  `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /${encoding} /DescendantFonts [6 0 R] >>`,
  `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /${name} /FontDescriptor 7 0 R
   /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 4 >> >>`,
  `<< /Type /FontDescriptor /FontName /${name} /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800
   /Descent -200 /CapHeight 700 /StemV 80 >>`
]

/** A page of text in an East Asian encoding, with these bytes. */
export const eastAsian = (encoding: string, ordering: string, text: Uint8Array): Uint8Array<ArrayBuffer> =>
  onePage(
    "/Font << /F1 5 0 R >>",
    `BT /F1 12 Tf 50 700 Td <${Buffer.from(text).toString("hex")}> Tj ET`,
    predefined(encoding, ordering, "Serif-Light")
  )

/** A page as a scanner makes it: a picture without letters. */
export const scanned = (): Uint8Array<ArrayBuffer> =>
  onePage("/XObject << /Im1 5 0 R >>", "q 595 0 0 842 0 0 cm /Im1 Do Q", [
    stream(
      "/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 8",
      "\u0080".repeat(64)
    )
  ])
