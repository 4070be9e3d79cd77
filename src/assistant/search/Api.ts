import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { clubPath, ClubStudent } from "../../identity/authentication/Authentication.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { field } from "../../platform/http/Field.ts"
import { WholeList } from "../../platform/http/Page.ts"
import { anyText } from "../../platform/http/Text.ts"
import { mostHits, SearchHit } from "./SearchHit.ts"

/** The search of a student in what they have. */
export class ClassroomSearchApi extends HttpApiGroup.make("classroomSearch")
  .add(HttpApiEndpoint.get("search", "/classroom/search", {
    params: clubPath,
    query: {
      q: Schema.optionalKey(anyText(2, 200)).pipe(field(
        "Words, of 2 to 200 characters in all, in any form, case and language of the club. The last one may be the beginning of a word. Without it, nothing is found",
        "respirar ombros"
      ))
    },
    success: WholeList(SearchHit)
  }).annotateMerge(described(
    "Search one's courses",
    `Finds at most ${mostHits} places in lessons that are live, in courses that the student has. Titles come first, then texts, pages and transcripts that have all the words. It finds changed lessons within moments, once the assistant has read them`
  )))
  .middleware(ClubStudent)
  .prefix("/clubs/:clubId")
  .annotate(GroupAudience, "classroom")
  .annotate(OpenApi.Title, "Search in the classroom")
  .annotate(OpenApi.Description, "Titles, texts, documents and transcripts of the courses that a student has")
{}
