import { Layer } from "effect"
import { StudentImportsHttp } from "./Http.ts"
import { ImportBodyLimitLayer } from "./ImportBodyLimit.ts"
import { importEraser } from "./ImportEraser.ts"
import { ImportWorkerLayer } from "./ImportWorker.ts"
import { sealedImports } from "./sealedImports.ts"
import { StudentImports, sweepImports } from "./StudentImports.ts"
import { waitingImports } from "./WaitingImports.ts"

/** Many students at once, from a file. */
export const studentImports = {
  services: Layer.merge(ImportBodyLimitLayer, StudentImports.layer),
  routes: StudentImportsHttp,
  workers: ImportWorkerLayer,
  erasers: [importEraser],
  sweeps: [sweepImports],
  queues: [waitingImports],
  sealed: sealedImports
}
