import { Effect, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { administration, AllowedRoles, ClubMember, clubPath } from "../../../identity/authentication/Authentication.ts"
import { ClubWrites } from "../../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../../identity/people/Scope.ts"
import { GroupAudience } from "../../../platform/http/Audience.ts"
import { described } from "../../../platform/http/Described.ts"
import { withTextExample } from "../../../platform/http/document/TextExample.ts"
import { NotFound } from "../../../platform/http/errors.ts"
import { field } from "../../../platform/http/Field.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../../../platform/http/Page.ts"
import { sentId } from "../../../platform/http/Text.ts"
import { Idempotent } from "../../../platform/idempotency/Idempotency.ts"
import { CsvInvalid, ImportId, ImportRows, StudentImport, StudentImportError, TooManyRows } from "./Import.ts"
import { ImportBodyLimit } from "./ImportBodyLimit.ts"

const importPath = { ...clubPath, importId: sentId(ImportId).pipe(field("The `id` of an import of the club")) }
const one = "/students/imports/:importId"

const Csv = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "text/csv" }))

const DryRun = Schema.Literals(["true", "false"]).pipe(
  Schema.withDecodingDefaultKey(Effect.succeed("false" as const)),
  field("`true` to write nothing and count what would be; `false` unless said otherwise", "true")
)

/** Students by the list (http-surface, Students, enrollments, imports). */
export class StudentImportsApi extends HttpApiGroup.make("studentImports")
  .add(
    HttpApiEndpoint.post("create", "/students/imports", {
      params: clubPath,
      query: { dry_run: DryRun },
      payload: [ImportRows, Csv],
      success: Data(StudentImport).pipe(HttpApiSchema.status(202)),
      error: [CsvInvalid, TooManyRows]
    }).annotateMerge(described(
      "Import students",
      "Up to 5,000 rows and 4 MiB, as JSON or as CSV. CSV is UTF-8, UTF-16 or Windows-1252, with `;`, `,` or tab; headers are English, Portuguese or Spanish. A surname column joins the name, unless a column has the full name. `unknown_columns` names the ignored columns. Rows are worked through in the background, and each fails alone. A student who is there already gets the delivery if they lack it, and nothing else changes: a list may be sent again. `delivery` and `cohort` are ids or names. `expires_at` is a timestamp or a date, 2026-12-31 or 31/12/2026: the end of that day in the club's time zone. A dry run writes nothing, and counts what would be"
    )).annotate(
      OpenApi.Transform,
      withTextExample(
        "text/csv",
        "name,email,document,delivery,cohort,expires_at\r\nBia Lima,bia.lima@example.com,,Violão do zero,,2027-12-31\r\n"
      )
    ).middleware(Idempotent).middleware(ImportBodyLimit),
    HttpApiEndpoint.get("list", "/students/imports", {
      params: clubPath,
      query: PageQuery,
      success: Page(StudentImport),
      error: InvalidCursor
    }).annotateMerge(described("List the imports of students", "Newest first; imports are kept for 90 days")),
    HttpApiEndpoint.get("get", one, { params: importPath, success: Data(StudentImport), error: NotFound })
      .annotateMerge(described(
        "Say how far an import is",
        "To be asked now and then until its status is `completed`."
      )),
    HttpApiEndpoint.get("errors", `${one}/errors`, {
      params: importPath,
      query: PageQuery,
      success: Page(StudentImportError),
      error: [InvalidCursor, NotFound]
    }).annotateMerge(described(
      "List what is wrong with an import's rows",
      "By line: of the file, its header counted, or of the rows of a JSON body, from 1"
    ))
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .annotateEndpoints(AllowedRoles, administration)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "students")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Imports of students")
  .annotate(OpenApi.Description, "Many students at once, with what they get access to")
{}
