import { Layer } from "effect"
import { StudentExportHttp } from "./Http.ts"
import { StudentExport } from "./StudentExport.ts"

/** All students as a file. */
export const studentExport = { services: StudentExport.layer, routes: StudentExportHttp, workers: Layer.empty }
