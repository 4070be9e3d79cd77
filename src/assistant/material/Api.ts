import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AllowedRoles, ClubMember, clubPath, contentStaff } from "../../auth/Authentication.ts"
import { MediaId } from "../../content/media/Media.ts"
import { NotFound } from "../../http/errors.ts"
import { Data } from "../../http/Page.ts"
import { sentId } from "../../http/Text.ts"
import { ClubWrites } from "../../limits/RateLimit.ts"
import { PutTranscript, Transcript } from "./Transcript.ts"

const media = { ...clubPath, mediaId: sentId(MediaId) }
const transcript = "/media/:mediaId/transcript"

/** What the assistant reads of a media record besides its file. */
export class TranscriptsApi extends HttpApiGroup.make("transcripts")
  .add(
    HttpApiEndpoint.get("get", transcript, { params: media, success: Data(Transcript), error: NotFound }).annotate(
      OpenApi.Summary,
      "Read the transcript of a media record"
    ),
    HttpApiEndpoint.put("put", transcript, {
      params: media,
      payload: PutTranscript,
      success: Data(Transcript),
      error: NotFound
    }).annotate(OpenApi.Summary, "Write the transcript of a media record").annotate(
      OpenApi.Description,
      "The lesson assistant quotes it, within moments, in every lesson that shows the record"
    ),
    HttpApiEndpoint.delete("remove", transcript, {
      params: media,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotate(OpenApi.Summary, "Delete the transcript of a media record")
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .annotateEndpoints(AllowedRoles, contentStaff)
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Transcripts")
  .annotate(OpenApi.Description, "What is said in videos and other media, for the lesson assistant")
{}
