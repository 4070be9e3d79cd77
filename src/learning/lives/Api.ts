import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  AllowedRoles,
  ClubMember,
  clubPath,
  ClubStudent,
  contentStaff
} from "../../identity/authentication/Authentication.ts"
import { ClubWrites, StudentWrites } from "../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../identity/people/Scope.ts"
import { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { EndsAtNotLater } from "../../membership/catalog/Cohort.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { withTextExample } from "../../platform/http/document/TextExample.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Idempotent } from "../../platform/idempotency/Idempotency.ts"
import {
  Attendance,
  ClassroomLive,
  CreateLive,
  Joined,
  Live,
  LiveEnded,
  LiveId,
  LiveNotOpen,
  LivePatch
} from "./Live.ts"

const live = { ...clubPath, liveId: sentId(LiveId).pipe(field("The `id` of a live that was not deleted")) }
const one = "/lives/:liveId"

/** Lives as the staff plans, opens and closes them (http-surface, Community, comments, lives). */
export class LivesApi extends HttpApiGroup.make("lives")
  .add(
    HttpApiEndpoint.post("create", "/lives", {
      params: clubPath,
      payload: CreateLive,
      success: Data(Live).pipe(HttpApiSchema.status(201)),
      error: EndsAtNotLater
    }).annotateMerge(described(
      "Announce a live",
      "It is scheduled at first. Once a delivery that they have contains it, students see it and are notified. It does not start by itself: open it when it begins"
    )).middleware(Idempotent),
    HttpApiEndpoint.patch("update", one, {
      params: live,
      payload: LivePatch,
      success: Data(Live),
      error: [EndsAtNotLater, NotFound]
    }).annotateMerge(described(
      "Change what is announced of a live",
      "Omitted fields keep their values, and null clears. It is possible before, during and after the live, and does not open or end it."
    )),
    HttpApiEndpoint.delete("remove", one, {
      params: live,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotateMerge(described(
      "Delete a live",
      "Students no longer see it. The attendance and its points stay. It cannot be undone"
    )),
    HttpApiEndpoint.post("open", `${one}/open`, {
      params: live,
      success: Data(Live),
      error: [LiveEnded, NotFound]
    }).annotateMerge(described(
      "Let students in",
      "It is possible at any time, whatever was announced. Students see the address and can join from now on. An open live stays as it is; one that has ended is not opened again"
    )),
    HttpApiEndpoint.post("close", `${one}/close`, {
      params: live,
      success: Data(Live),
      error: [LiveNotOpen, NotFound]
    }).annotateMerge(described(
      "End a live",
      "Students no longer see the address and cannot join; a live does not end by itself. One that has ended stays as it is"
    ))
  )
  .annotateEndpoints(AllowedRoles, contentStaff)
  .add(
    HttpApiEndpoint.get("list", "/lives", {
      params: clubPath,
      query: PageQuery,
      success: Page(Live),
      error: InvalidCursor
    }).annotateMerge(described(
      "List the lives, the latest start first",
      "Announced, open and ended lives alike, without deleted ones"
    )),
    HttpApiEndpoint.get("get", one, { params: live, success: Data(Live), error: NotFound })
      .annotateMerge(described("Read a live", "With when the staff opened and ended it")),
    HttpApiEndpoint.get("attendances", `${one}/attendances`, {
      params: live,
      query: PageQuery,
      success: Page(Attendance),
      error: [InvalidCursor, NotFound]
    }).annotateMerge(described(
      "List who joined, in the order in which they came",
      "Each student once, with their first time. Removed students stay in the list, under the name that replaced theirs"
    ))
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "lives")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Lives")
  .annotate(OpenApi.Description, "A club's lives, and their attendance")
{}

/** Lives as students see and join them: those of the deliveries that they have. */
export class ClassroomLivesApi extends HttpApiGroup.make("classroomLives")
  .add(
    HttpApiEndpoint.get("list", "/classroom/lives", {
      params: clubPath,
      query: PageQuery,
      success: Page(ClassroomLive),
      error: InvalidCursor
    }).annotateMerge(described(
      "List one's own lives, the latest start first",
      "Those of the deliveries that the student has now. The address is shown while a live is open"
    )),
    HttpApiEndpoint.get("calendar", "/classroom/lives/:liveId/calendar.ics", {
      params: live,
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/calendar" })),
      error: NotFound
    }).annotateMerge(described(
      "Download a live for one's calendar",
      "An iCalendar file (RFC 5545) with the announced times, as they are now. The address where it is shown is not in it. A calendar that has the live already takes a newer file for the same event"
    )).annotate(
      OpenApi.Transform,
      withTextExample(
        "text/calendar",
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Turma//Lives//EN\r\nMETHOD:PUBLISH\r\nBEGIN:VEVENT\r\nUID:01993f2a-7c00-7a10-8c4e-5b1d2f3a4c5d\r\nDTSTAMP:20260801T120000Z\r\nDTSTART:20260820T220000Z\r\nSUMMARY:Roda de flauta\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
      )
    ),
    HttpApiEndpoint.post("join", "/classroom/lives/:liveId/join", {
      params: live,
      success: Data(Joined),
      error: [LiveNotOpen, NotFound, StudentRemoved]
    }).annotateMerge(described(
      "Join a live",
      "The first time is recorded and pays `live_attended`; joining again answers the same live with the first time, and pays nothing. Refused unless the live is open"
    ))
  )
  .middleware(StudentWrites)
  .middleware(ClubStudent)
  .prefix("/clubs/:clubId")
  .annotate(GroupAudience, "classroom")
  .annotate(OpenApi.Title, "Lives in the classroom")
  .annotate(OpenApi.Description, "Lives as students see and join them")
{}
