import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { administration, AllowedRoles, ClubMember, clubPath } from "../../../identity/authentication/Authentication.ts"
import { ClubWrites } from "../../../identity/limits/RateLimit.ts"
import { personalData } from "../../../identity/people/PersonalData.ts"
import { KeyFeature } from "../../../identity/people/Scope.ts"
import { GroupAudience } from "../../../platform/http/Audience.ts"
import { described } from "../../../platform/http/Described.ts"
import { withTextExample } from "../../../platform/http/document/TextExample.ts"
import { NoStore } from "../../../platform/http/NoStore.ts"

/** Students as a file (http-surface, Students, enrollments, imports). */
export class StudentExportApi extends HttpApiGroup.make("studentExport")
  .add(HttpApiEndpoint.get("csv", "/students/export.csv", {
    params: clubPath,
    success: HttpApiSchema.StreamUint8Array({ contentType: "text/csv" }).annotate(personalData)
  }).annotateMerge(described(
    "Export the students",
    "CSV in UTF-8 with a byte order mark: id, name, email, verified, created_at. Cells that a spreadsheet would compute begin with an apostrophe, which an import takes off again. It omits removed students and tax documents."
  )).annotate(
    OpenApi.Transform,
    withTextExample(
      "text/csv",
      "\ufeffid,name,email,verified,created_at\r\n01993f2a-7c00-7a10-8c4e-5b1d2f3a4c5d,Bia Lima,bia.lima@example.com,true,2026-03-02T13:05:41.120Z\r\n"
    )
  ).middleware(NoStore))
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .annotateEndpoints(AllowedRoles, administration)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "students")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Export of students")
  .annotate(OpenApi.Description, "A club's students as one file")
{}
