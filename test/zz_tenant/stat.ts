import { Worker } from "node:worker_threads"
import { unpackingTo } from "../assistant/material/PdfFile.ts"
const bytes = unpackingTo(1024)
const thread = new Worker(new URL("../../src/assistant/material/PdfThread.ts", import.meta.url), { workerData: bytes, transferList: [bytes.buffer], resourceLimits: { maxOldGenerationSizeMb: 512 } })
const t0 = Date.now()
const t = setInterval(() => { const at = Date.now(); thread.getHeapStatistics().then((s) => console.log(at - t0, Date.now() - t0, Math.round(s.used_heap_size/2**20), Math.round(s.external_memory/2**20), Math.round(process.memoryUsage.rss()/2**20), Math.round(process.memoryUsage().arrayBuffers/2**20)), (e) => console.log(String(e))) }, 1000)
thread.on("message", (m) => console.log("message", m)); thread.on("exit", () => { console.log("exit", Date.now() - t0); clearInterval(t) })
