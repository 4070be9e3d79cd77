import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AllowedRoles, ClubMember, clubPath, contentStaff } from "../../identity/authentication/Authentication.ts"
import { ClubWrites } from "../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../identity/people/Scope.ts"
import { MediaId } from "../../learning/media/Media.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
import { Data } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { DocumentReading } from "./documents/DocumentReading.ts"
import { PutTranscript, Transcript } from "./Transcript.ts"

const media = { ...clubPath, mediaId: sentId(MediaId).pipe(field("The `id` of a media record of the library")) }
const transcript = "/media/:mediaId/transcript"

/** The transcripts of media records, and whether the assistant has read their files. */
export class TranscriptsApi extends HttpApiGroup.make("transcripts")
  .add(
    HttpApiEndpoint.get("get", transcript, { params: media, success: Data(Transcript), error: NotFound })
      .annotateMerge(described(
        "Read the transcript of a media record",
        "404 also if the media record has no transcript"
      )),
    HttpApiEndpoint.put("put", transcript, {
      params: media,
      payload: PutTranscript,
      success: Data(Transcript),
      error: NotFound
    }).annotateMerge(described(
      "Write the transcript of a media record",
      "It replaces the one before. The lesson assistant quotes it, within moments, in every lesson that shows the record"
    )),
    HttpApiEndpoint.delete("remove", transcript, {
      params: media,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotateMerge(described(
      "Delete the transcript of a media record",
      "The assistant stops quoting it within moments; answers that quoted it stay. 404 also if the media record has no transcript"
    )),
    HttpApiEndpoint.get("reading", "/media/:mediaId/reading", {
      params: media,
      success: Data(DocumentReading),
      error: NotFound
    }).annotateMerge(described(
      "Say whether the assistant could read a PDF file",
      "A file is read once a lesson shows it. Each file has 5 seconds of the processor and 256 MiB of memory. All files of a club share 10 minutes a day; files beyond that wait for the next day. 404 if the file is not a PDF"
    ))
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .annotateEndpoints(AllowedRoles, contentStaff)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "content")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Transcripts")
  .annotate(OpenApi.Description, "Transcripts of videos and other media, for the lesson assistant")
{}
