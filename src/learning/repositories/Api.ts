import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  AllowedRoles,
  ClubMember,
  clubPath,
  ClubStudent,
  contentStaff
} from "../../identity/authentication/Authentication.ts"
import { ClubWrites } from "../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../identity/people/Scope.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
import { NoStore } from "../../platform/http/NoStore.ts"
import { Order, OrderInvalid } from "../../platform/http/Order.ts"
import { Data, InvalidCursor, Page, PageQuery, WholeList } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Idempotent } from "../../platform/idempotency/Idempotency.ts"
import { Publication } from "../content/Lesson.ts"
import { PublicId, PublicIdTaken } from "../content/PublicId.ts"
import { MediaUnknown } from "../media/Attachments.ts"
import { DownloadQuery } from "../media/Upload.ts"
import {
  CreateRepository,
  ManagedRepository,
  Repository,
  RepositoryId,
  RepositoryLimitReached,
  RepositoryPatch
} from "./Repository.ts"
import {
  CreateFile,
  FileDownload,
  FileLimitReached,
  ManagedFile,
  OpenedRepository,
  RepositoryFileId
} from "./RepositoryFile.ts"

const repository = {
  ...clubPath,
  repositoryId: sentId(RepositoryId).pipe(field("The `id` of a repository, not its `public_id`"))
}
const fileId = sentId(RepositoryFileId).pipe(field("The `id` of a file in the repository, not of its media record"))
const file = { ...repository, fileId }
const opened = {
  ...clubPath,
  publicId: PublicId.pipe(field("The `public_id` of a repository that the student has", "partituras"))
}

const oneRepository = "/repositories/:repositoryId"
const allFiles = `${oneRepository}/files` as const
const oneOpened = "/classroom/repositories/:publicId"

/** Repositories of files, as the staff keeps them (http-surface, Catalog). */
export class RepositoriesApi extends HttpApiGroup.make("repositories")
  .add(
    HttpApiEndpoint.get("list", "/repositories", {
      params: clubPath,
      query: PageQuery,
      success: Page(ManagedRepository),
      error: InvalidCursor
    }).annotateMerge(described("List the repositories", "Oldest first, drafts too")),
    HttpApiEndpoint.post("create", "/repositories", {
      params: clubPath,
      payload: CreateRepository,
      success: Data(ManagedRepository).pipe(HttpApiSchema.status(201)),
      error: [PublicIdTaken, RepositoryLimitReached]
    }).annotateMerge(described(
      "Create a repository",
      "It is a draft without files until it is published; students with a delivery that contains it see it then. A club has at most 1000 repositories"
    )).annotate(AllowedRoles, contentStaff).middleware(Idempotent),
    HttpApiEndpoint.get("get", oneRepository, {
      params: repository,
      success: Data(ManagedRepository),
      error: NotFound
    }).annotateMerge(described("Read a repository", "Its files are a list of their own")),
    HttpApiEndpoint.patch("update", oneRepository, {
      params: repository,
      payload: RepositoryPatch,
      success: Data(ManagedRepository),
      error: [NotFound, PublicIdTaken]
    }).annotateMerge(described(
      "Change a repository",
      "Omitted fields keep their values, and null clears. A new `public_id` frees the one before for another repository"
    )).annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.put("publish", `${oneRepository}/publication`, {
      params: repository,
      payload: Publication,
      success: Data(ManagedRepository),
      error: NotFound
    }).annotateMerge(described(
      "Publish, schedule or unpublish a repository",
      "Students who have it see it from `published_at` on; null takes it away from them again. Publishing tells nobody"
    )).annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.delete("remove", oneRepository, {
      params: repository,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotateMerge(described(
      "Delete a repository",
      "Students no longer see it, and its `public_id` stays taken. Its files stay in the library. It cannot be undone"
    )).annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.get("listFiles", allFiles, {
      params: repository,
      success: WholeList(ManagedFile),
      error: NotFound
    }).annotateMerge(described(
      "List the files of a repository in their order",
      "The list is whole; `next_cursor` is always null"
    )),
    HttpApiEndpoint.post("addFile", allFiles, {
      params: repository,
      payload: CreateFile,
      success: Data(ManagedFile).pipe(HttpApiSchema.status(201)),
      error: [FileLimitReached, MediaUnknown, NotFound]
    }).annotateMerge(described(
      "Add a file of the library",
      "It comes after the other files of the repository, which has at most 200, and students can download it at once. The same media record may be in several repositories, and several times in one"
    )).annotate(AllowedRoles, contentStaff).middleware(Idempotent),
    HttpApiEndpoint.put("orderFiles", `${allFiles}/order`, {
      params: repository,
      payload: Order(RepositoryFileId),
      success: WholeList(ManagedFile),
      error: [NotFound, OrderInvalid]
    }).annotateMerge(described(
      "Put the files of a repository in another order",
      "All files of the repository are named, each once. Students see the new order at once"
    )).annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.delete("removeFile", `${allFiles}/:fileId`, {
      params: file,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotateMerge(described(
      "Take a file away",
      "Students can no longer download it here; addresses that they have work until they end. The file itself stays in the library"
    )).annotate(
      AllowedRoles,
      contentStaff
    )
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "repositories")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Repositories")
  .annotate(OpenApi.Description, "Files that students can download, in repositories that the staff keeps")
{}

/** Repositories as students see them: those that they have and that are live (contract, Endpoints 10). */
export class ClassroomRepositoriesApi extends HttpApiGroup.make("classroomRepositories")
  .add(
    HttpApiEndpoint.get("list", "/classroom/repositories", {
      params: clubPath,
      success: Data(Schema.Array(Repository))
    }).annotateMerge(described(
      "List one's own repositories",
      "Those that are published and that the student has by a delivery, oldest first, all in one list"
    )),
    HttpApiEndpoint.get("get", oneOpened, {
      params: opened,
      success: Data(OpenedRepository),
      error: NotFound
    }).annotateMerge(described(
      "Read a repository and its files",
      "404 unless it is published and the student has it now"
    )),
    HttpApiEndpoint.get("download", `${oneOpened}/files/:fileId/download`, {
      params: { ...opened, fileId },
      query: DownloadQuery,
      success: Data(FileDownload),
      error: NotFound
    }).annotateMerge(described(
      "Get an address to download a file from",
      "It ends after an hour. Until then, anyone with the address can use it"
    )).middleware(NoStore)
  )
  .middleware(ClubStudent)
  .prefix("/clubs/:clubId")
  .annotate(GroupAudience, "classroom")
  .annotate(OpenApi.Title, "Repositories in the classroom")
  .annotate(OpenApi.Description, "The repositories of files that a student has")
{}
