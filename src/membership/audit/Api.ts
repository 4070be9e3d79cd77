import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AuditEntry, AuditQuery, AuditReads, AuditReadsQuery } from "../../identity/audit/AuditEntry.ts"
import { administration, AllowedRoles, ClubMember, clubPath } from "../../identity/authentication/Authentication.ts"
import { ClubWrites } from "../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../identity/people/Scope.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { InvalidCursor, Page } from "../../platform/http/Page.ts"

/** The audit log of the club, for its owners and admins. */
export class AuditLogApi extends HttpApiGroup.make("auditLog")
  .add(
    HttpApiEndpoint.get("list", "/audit-log", {
      params: clubPath,
      query: AuditQuery,
      success: Page(AuditEntry),
      error: InvalidCursor
    }).annotateMerge(described(
      "List the changes in the club",
      "Newest first, for 90 days: every request of a member or a key that changed something, or that role or scopes did not allow. An entry is written together with its change. Students' actions are not in it. A page looks at 10,000 entries at most, so with filters it may be short, even empty, and still have a `next_cursor`."
    )),
    HttpApiEndpoint.get("reads", "/audit-log/reads", {
      params: clubPath,
      query: AuditReadsQuery,
      success: Page(AuditReads),
      error: InvalidCursor
    }).annotateMerge(described(
      "List how often keys have read personal data",
      "Newest hours first, for 90 days: one count for each key, operation and hour. An operation counts if its answer can hold a student's name, address, document or work. Reads by members' sessions are not counted."
    ))
  )
  .annotateEndpoints(AllowedRoles, administration)
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "audit")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Audit log")
  .annotate(OpenApi.Description, "Changes in the club, with their authors, times and keys")
{}
