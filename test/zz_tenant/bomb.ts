import { createDeflate, deflateSync } from "node:zlib"
import { Effect } from "effect"
import { Pdf } from "/work/main/src/assistant/material/Pdf.ts"
const deflated = async (gib: number, fill: string) => {
  const z = createDeflate({ level: 9 }); const parts: Buffer[] = []
  z.on("data", (c) => parts.push(c))
  const block = Buffer.alloc(1 << 20, fill)
  for (let n = 0; n < gib * 1024; n++) if (!z.write(block)) await new Promise((r) => z.once("drain", r))
  z.end(); await new Promise((r) => z.once("end", r))
  return Buffer.concat(parts)
}
const pdf = (stream: Buffer, filter: string) => {
  const head = `%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << >> >>\nendobj\n4 0 obj\n<< /Length ${stream.length} /Filter ${filter} >>\nstream\n`
  return Buffer.concat([Buffer.from(head), stream, Buffer.from(`\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF`)])
}
for (const [name, gib, fill] of [["zeros 3GiB", 3, " "], ["text", 2, "0 "]] as const) {
  const one = await deflated(gib, fill)
  const bytes = new Uint8Array(pdf(one, "/FlateDecode"))
  console.log(name, bytes.length, "bytes")
  let peak = 0
  const timer = setInterval(() => { peak = Math.max(peak, process.memoryUsage.rss()) }, 50)
  const t = Date.now()
  const r = await Effect.runPromise(Effect.exit(Effect.provide(Pdf.use((p) => p.pages(bytes)), Pdf.layer)))
  clearInterval(timer)
  console.log(name, r._tag, String(JSON.stringify(r)).slice(0, 150), Date.now() - t, "ms, peak MiB", Math.round(peak / 2 ** 20))
}
