import { Worker } from "node:worker_threads"
const w = new Worker(`
const bufs=[]; let n=0; const end=Date.now()+3000; while(Date.now()<end){ if (bufs.length<40) bufs.push(new Uint8Array(20*1024*1024).fill(1)); n++ }
`, { eval: true })
const t = setInterval(async () => { const s = await w.getHeapStatistics(); console.log(s.used_heap_size, s.external_memory, s.malloced_memory) }, 300)
w.on("exit", () => clearInterval(t))
