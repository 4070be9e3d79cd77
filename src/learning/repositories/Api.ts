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
import { NotFound } from "../../platform/http/errors.ts"
import { NoStore } from "../../platform/http/NoStore.ts"
import { Order, OrderInvalid } from "../../platform/http/Order.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Idempotent } from "../../platform/idempotency/Idempotency.ts"
import { Publication } from "../content/Lesson.ts"
import { PublicId, PublicIdTaken } from "../content/PublicId.ts"
import { MediaUnknown } from "../media/Attachments.ts"
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

const repository = { ...clubPath, repositoryId: sentId(RepositoryId) }
const file = { ...repository, fileId: sentId(RepositoryFileId) }
const opened = { ...clubPath, publicId: PublicId }

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
    }).annotate(OpenApi.Summary, "List the repositories"),
    HttpApiEndpoint.post("create", "/repositories", {
      params: clubPath,
      payload: CreateRepository,
      success: Data(ManagedRepository).pipe(HttpApiSchema.status(201)),
      error: [PublicIdTaken, RepositoryLimitReached]
    }).annotate(OpenApi.Summary, "Create a repository").annotate(
      OpenApi.Description,
      "It is a draft until it is published; students with a delivery that contains it see it then"
    ).annotate(AllowedRoles, contentStaff).middleware(Idempotent),
    HttpApiEndpoint.get("get", oneRepository, {
      params: repository,
      success: Data(ManagedRepository),
      error: NotFound
    }).annotate(OpenApi.Summary, "Read a repository"),
    HttpApiEndpoint.patch("update", oneRepository, {
      params: repository,
      payload: RepositoryPatch,
      success: Data(ManagedRepository),
      error: [NotFound, PublicIdTaken]
    }).annotate(OpenApi.Summary, "Change a repository").annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.put("publish", `${oneRepository}/publication`, {
      params: repository,
      payload: Publication,
      success: Data(ManagedRepository),
      error: NotFound
    }).annotate(OpenApi.Summary, "Publish, schedule or unpublish a repository").annotate(
      OpenApi.Description,
      "Students see it from published_at on; null makes it a draft"
    ).annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.delete("remove", oneRepository, {
      params: repository,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotate(OpenApi.Summary, "Delete a repository").annotate(
      OpenApi.Description,
      "Its files stay in the library"
    ).annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.get("listFiles", allFiles, {
      params: repository,
      success: Page(ManagedFile),
      error: NotFound
    }).annotate(OpenApi.Summary, "List the files of a repository in their order"),
    HttpApiEndpoint.post("addFile", allFiles, {
      params: repository,
      payload: CreateFile,
      success: Data(ManagedFile).pipe(HttpApiSchema.status(201)),
      error: [FileLimitReached, MediaUnknown, NotFound]
    }).annotate(OpenApi.Summary, "Add a file of the library").annotate(AllowedRoles, contentStaff).middleware(
      Idempotent
    ),
    HttpApiEndpoint.put("orderFiles", `${allFiles}/order`, {
      params: repository,
      payload: Order(RepositoryFileId),
      success: Page(ManagedFile),
      error: [NotFound, OrderInvalid]
    }).annotate(OpenApi.Summary, "Put the files of a repository in another order").annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.delete("removeFile", `${allFiles}/:fileId`, {
      params: file,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotate(OpenApi.Summary, "Take a file away").annotate(OpenApi.Description, "It stays in the library").annotate(
      AllowedRoles,
      contentStaff
    )
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Repositories")
  .annotate(OpenApi.Description, "Files that students can download, in repositories that the staff keeps")
{}

/** Repositories as students see them: those that they have and that are live (contract, Endpoints 10). */
export class ClassroomRepositoriesApi extends HttpApiGroup.make("classroomRepositories")
  .add(
    HttpApiEndpoint.get("list", "/classroom/repositories", {
      params: clubPath,
      success: Data(Schema.Array(Repository))
    }).annotate(OpenApi.Summary, "List one's own repositories"),
    HttpApiEndpoint.get("get", oneOpened, {
      params: opened,
      success: Data(OpenedRepository),
      error: NotFound
    }).annotate(OpenApi.Summary, "Read a repository and its files"),
    HttpApiEndpoint.get("download", `${oneOpened}/files/:fileId/download`, {
      params: { ...opened, fileId: sentId(RepositoryFileId) },
      success: Data(FileDownload),
      error: NotFound
    }).annotate(OpenApi.Summary, "Get an address to download a file from").annotate(
      OpenApi.Description,
      "Who has the address can use it until it ends"
    ).middleware(NoStore)
  )
  .middleware(ClubStudent)
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Repositories in the classroom")
  .annotate(OpenApi.Description, "The repositories of files that a student has")
{}
