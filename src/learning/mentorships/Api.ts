import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AllowedRoles, ClubMember, clubPath, moderators } from "../../identity/authentication/Authentication.ts"
import { ClubWrites } from "../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../identity/people/Scope.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { NotFound, StorageFull, UploadCompleted, UploadInPartsUnavailable } from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
import { NoStore } from "../../platform/http/NoStore.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Idempotent } from "../../platform/idempotency/Idempotency.ts"
import { Media, MediaId } from "../media/Media.ts"
import {
  CreateFile,
  DownloadQuery,
  MediaDownload,
  MediaNotReady,
  MimeNotAllowed,
  SizeTooLarge,
  StartedUpload,
  StorageQuotaReached,
  UploadMismatch,
  UploadNotFound
} from "../media/Upload.ts"
import { UploadParts } from "../media/UploadParts.ts"

const file = {
  ...clubPath,
  mediaId: sentId(MediaId).pipe(field("The `id` of a mentorship file; media of the library are not among them"))
}
const one = "/mentorship-files/:mediaId"

/** Files of mentorships (contract, Endpoints 8): media that are in no library. */
export class MentorshipFilesApi extends HttpApiGroup.make("mentorshipFiles")
  .add(
    HttpApiEndpoint.post("create", "/mentorship-files", {
      params: clubPath,
      payload: CreateFile,
      success: Data(StartedUpload).pipe(HttpApiSchema.status(201)),
      error: [MimeNotAllowed, SizeTooLarge, StorageQuotaReached]
    }).annotateMerge(described(
      "Begin the upload of a mentorship file",
      "The file is sent as `upload` says within 15 minutes, and then completed; one that is not completed within a day is deleted. The types and sizes of the library apply. It counts for the club's room in storage from here on"
    )).middleware(Idempotent).middleware(NoStore),
    HttpApiEndpoint.post("resume", `${one}/upload`, {
      params: file,
      success: Data(UploadParts),
      error: [NotFound, StorageFull, UploadCompleted, UploadInPartsUnavailable]
    }).annotateMerge(described(
      "Begin or go on with the upload of a mentorship file in parts",
      "As with the media of the library"
    )).middleware(NoStore),
    HttpApiEndpoint.post("complete", `${one}/complete`, {
      params: file,
      success: Data(Media),
      error: [NotFound, StorageFull, UploadMismatch, UploadNotFound]
    }).annotateMerge(described(
      "Confirm that a mentorship file has been sent",
      "Storage is asked for it: its size and its first bytes are compared with what was announced. A file that differs fails for good and is deleted. Repeating answers the same"
    )),
    HttpApiEndpoint.delete("remove", one, {
      params: file,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotateMerge(described("Delete a mentorship file", "The file is deleted within moments. It cannot be undone"))
  )
  .annotateEndpoints(AllowedRoles, moderators)
  .add(
    HttpApiEndpoint.get("list", "/mentorship-files", {
      params: clubPath,
      query: PageQuery,
      success: Page(Media),
      error: InvalidCursor
    }).annotateMerge(described(
      "List the mentorship files, newest first",
      "Uploads that are not completed are among them, by their `status`"
    )),
    HttpApiEndpoint.get("get", one, { params: file, success: Data(Media), error: NotFound }).annotateMerge(described(
      "Read the record of a mentorship file",
      "It holds no address of the file: that is a route of its own, since it ends"
    )),
    HttpApiEndpoint.get("download", `${one}/download`, {
      params: file,
      query: DownloadQuery,
      success: Data(MediaDownload),
      error: [MediaNotReady, NotFound]
    }).annotateMerge(described(
      "Get an address of a mentorship file",
      "It ends after an hour. Anyone with the address can open it"
    )).middleware(NoStore)
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "mentorships")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Mentorship files")
  .annotate(OpenApi.Description, "Files that mentors and their students work with")
{}
