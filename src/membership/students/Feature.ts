import { Layer } from "effect"
import { DocumentRenewalLayer } from "./DocumentRenewal.ts"
import { OwnAccountHttp, StudentsHttp } from "./Http.ts"
import { idempotencyEraser } from "./IdempotencyEraser.ts"
import { mailEraser } from "./MailEraser.ts"
import { OwnAccounts } from "./OwnAccounts.ts"
import { Removal, sweepErasures } from "./Removal.ts"
import { sealedStudents } from "./sealedStudents.ts"
import { StudentAdmission } from "./StudentAdmission.ts"
import { studentEvents } from "./StudentEvents.ts"
import { Students } from "./Students.ts"

/** The students of a club, and their removal. */
export const students = {
  services: Layer.mergeAll(OwnAccounts.layer, Students.layer, Removal.layer)
    .pipe(Layer.provideMerge(StudentAdmission.layer)),
  routes: Layer.merge(OwnAccountHttp, StudentsHttp),
  workers: DocumentRenewalLayer,
  erasers: [idempotencyEraser, mailEraser],
  eventSources: studentEvents,
  sweeps: [sweepErasures],
  sealed: sealedStudents
}
