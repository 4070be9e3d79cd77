import { Layer } from "effect"
import { Admission } from "./Admission.ts"
import { answerEraser } from "./AnswerEraser.ts"
import { Directory } from "./Directory.ts"
import { documentRenewalLayer } from "./DocumentRenewal.ts"
import { StudentsHttp } from "./Http.ts"
import { mailEraser } from "./MailEraser.ts"
import { Removal, sweepErasures } from "./Removal.ts"
import { studentEvents } from "./StudentEvents.ts"

/** The students of a club, and their removal. */
export const students = {
  services: Layer.mergeAll(Directory.layer, Removal.layer).pipe(Layer.provideMerge(Admission.layer)),
  routes: StudentsHttp,
  workers: documentRenewalLayer,
  erasers: [answerEraser, mailEraser],
  eventSources: studentEvents,
  sweeps: { "receipts of removals": sweepErasures }
}
