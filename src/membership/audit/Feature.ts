import { Layer } from "effect"
import { auditEraser, sweepAudit } from "../../identity/audit/AuditEnd.ts"
import { AuditLog } from "../../identity/audit/AuditLog.ts"
import { AuditLogHttp } from "./Http.ts"

/** The audit log of a club: the actions of members and keys. */
export const audit = {
  services: AuditLog.layer,
  routes: AuditLogHttp,
  workers: Layer.empty,
  erasers: [auditEraser],
  sweeps: [sweepAudit]
}
