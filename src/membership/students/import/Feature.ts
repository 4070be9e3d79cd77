import { Layer } from "effect"
import { StudentImportsHttp } from "./Http.ts"
import { ImportBodiesLayer } from "./ImportBodies.ts"
import { importEraser } from "./ImportEraser.ts"
import { ImportWorkerLayer } from "./ImportWorker.ts"
import { StudentImports, sweepImports } from "./StudentImports.ts"

/** Many students at once, from a file. */
export const studentImports = {
  services: Layer.merge(ImportBodiesLayer, StudentImports.layer),
  routes: StudentImportsHttp,
  workers: ImportWorkerLayer,
  erasers: [importEraser],
  sweeps: { "imports of students": sweepImports }
}
