import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  AllowedRoles,
  ClubMember,
  clubPath,
  ClubPerson,
  ClubStudent,
  contentStaff
} from "../../identity/authentication/Authentication.ts"
import { ClubWrites, PersonWrites, StudentWrites } from "../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../identity/people/Scope.ts"
import { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { AgentTool } from "../../platform/http/AgentTool.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
import { Order, OrderInvalid } from "../../platform/http/Order.ts"
import { Data, InvalidCursor, Page, PageQuery, WholeList } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Idempotent } from "../../platform/idempotency/Idempotency.ts"
import { MentionUnknown } from "../authors/Mention.ts"
import { NotTheAuthor } from "../authors/NotTheAuthor.ts"
import { ClassroomSpace } from "./ClassroomSpace.ts"
import { Community, CommunityPatch, CreateSpace, Space, SpaceId, SpaceLimitReached, SpacePatch } from "./Community.ts"
import { CreatePost, Post, PostFilter, PostId, PostingNotAllowed, PostPatch, PostWords, SpaceArchived } from "./Post.ts"

/** The fields for agents. */
const shown = {
  space: "id name description access visibility posting position archived",
  post: "id space_id title body author.id author.name author.role comments_count created_at hidden pinned deleted"
}

const space = { ...clubPath, spaceId: sentId(SpaceId).pipe(field("The `id` of a space of the community")) }

/** The club's community and its spaces, as staff keeps them (contract, Community and Endpoints 2). */
export class CommunityApi extends HttpApiGroup.make("community")
  .add(
    HttpApiEndpoint.get("read", "/community", { params: clubPath, success: Data(Community) }).annotate(AgentTool, {
      name: "community_show",
      fields:
        "id name description published_at spaces.id spaces.name spaces.description spaces.access spaces.visibility spaces.posting spaces.position spaces.archived"
    }).annotateMerge(described(
      "Read the community and its spaces",
      "Every club has one community, which begins unpublished, with two spaces"
    )),
    HttpApiEndpoint.patch("update", "/community", {
      params: clubPath,
      payload: CommunityPatch,
      success: Data(Community)
    }).annotateMerge(described(
      "Change, publish or unpublish the community",
      "Omitted fields keep their values. Unpublished, no student sees anything of it, posts and comments included, and it comes back as it was. Publishing tells nobody"
    )).annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.post("createSpace", "/community/spaces", {
      params: clubPath,
      payload: CreateSpace,
      success: Data(Space).pipe(HttpApiSchema.status(201)),
      error: SpaceLimitReached
    }).annotate(AgentTool, { name: "spaces_create", fields: shown.space })
      .annotateMerge(described(
        "Add a space",
        "It comes after the other spaces. A community has at most 100 that are not archived"
      )).annotate(AllowedRoles, contentStaff).middleware(Idempotent),
    HttpApiEndpoint.put("orderSpaces", "/community/spaces/order", {
      params: clubPath,
      payload: Order(SpaceId),
      success: Data(Community),
      error: OrderInvalid
    }).annotateMerge(described(
      "Put the spaces in another order",
      "All spaces that are not archived are named, each once. The answer is the community with its spaces in the new order"
    )).annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.patch("updateSpace", "/community/spaces/:spaceId", {
      params: space,
      payload: SpacePatch,
      success: Data(Space),
      error: NotFound
    }).annotate(AgentTool, { name: "spaces_update", fields: shown.space }).annotateMerge(described(
      "Change a space",
      "Omitted fields keep their values. Archived spaces can be changed too, and stay archived"
    )).annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.delete("archiveSpace", "/community/spaces/:spaceId", {
      params: space,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotateMerge(described(
      "Archive a space",
      "Students see nothing of it any more, nobody posts in it, and the staff can still read it. Archiving again changes nothing; there is no way back"
    )).annotate(AllowedRoles, contentStaff)
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "community")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Community")
  .annotate(OpenApi.Description, "The one community of a club and its spaces, as staff keeps them")
{}

const posts = "/community/spaces/:spaceId/posts"
const onePost = "/community/posts/:postId"
const post = { ...clubPath, postId: sentId(PostId).pipe(field("The `id` of a post in a space that the caller sees")) }

/** Posts of students and staff. Both share the club's cap of writes. Students see a published community's spaces. */
export class PostsApi extends HttpApiGroup.make("posts")
  .add(
    HttpApiEndpoint.get("list", posts, {
      params: space,
      query: { ...PageQuery, ...PostFilter },
      success: Page(Post),
      error: [InvalidCursor, NotFound]
    }).annotate(AgentTool, { name: "posts_list", fields: shown.post }).annotateMerge(described(
      "List the posts of a space",
      "Newest first; pinned ones are among the others, and with `pinned=true` a list of their own. Students find the spaces that they see"
    )),
    HttpApiEndpoint.post("create", posts, {
      params: space,
      payload: CreatePost,
      success: Data(Post).pipe(HttpApiSchema.status(201)),
      error: [MentionUnknown, NotFound, PostingNotAllowed, SpaceArchived, StudentRemoved]
    }).annotate(AgentTool, { name: "posts_create", fields: shown.post }).annotateMerge(described(
      "Post in a space",
      "A student's post pays `post_published`, up to 5 times a day in the club's time zone. Students post where `posting` says so; nobody posts in an archived space"
    )).annotate(AllowedRoles, contentStaff).middleware(Idempotent)
      .middleware(PersonWrites),
    HttpApiEndpoint.get("get", onePost, { params: post, success: Data(Post), error: NotFound }).annotate(AgentTool, {
      name: "posts_show",
      fields: shown.post
    }).annotateMerge(described("Read a post", "Its comments are a list of their own")),
    HttpApiEndpoint.patch("update", onePost, {
      params: post,
      payload: PostPatch,
      success: Data(Post),
      error: [NotFound, NotTheAuthor, StudentRemoved]
    }).annotate(AgentTool, { name: "posts_update", fields: shown.post }).annotateMerge(described(
      "Change a post",
      "Omitted fields keep their values. The words are their author's alone; hiding and pinning is the staff's. Mentions stay. A deleted post cannot be changed"
    )).annotate(AllowedRoles, contentStaff).middleware(PersonWrites),
    HttpApiEndpoint.delete("remove", onePost, {
      params: post,
      success: HttpApiSchema.NoContent,
      error: [NotFound, StudentRemoved]
    }).annotate(AgentTool, { name: "posts_remove", fields: "" }).annotateMerge(described(
      "Delete a post",
      "Its words are erased. A tombstone stays while comments on it are visible, and the comments stay too. Students delete their own posts alone. Points that it paid stay"
    )).annotate(AllowedRoles, contentStaff).middleware(PersonWrites)
  )
  .middleware(ClubPerson)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "community")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Posts")
  .annotate(OpenApi.Description, "Posts of students and staff in the spaces of the community")
{}

const classroomPosts = "/classroom/community/spaces/:spaceId/posts"
const classroomPost = "/classroom/community/posts/:postId"

/** The posts of students: the same posts, with the caps of a student's writes. */
export class ClassroomPostsApi extends HttpApiGroup.make("classroomPosts")
  .add(
    HttpApiEndpoint.get("list", classroomPosts, {
      params: space,
      query: { ...PageQuery, ...PostFilter },
      success: Page(Post),
      error: [InvalidCursor, NotFound]
    }).annotateMerge(described(
      "List the posts of a space that one sees",
      "Newest first; pinned ones are among the others, and with `pinned=true` a list of their own. Hidden ones are there without their words"
    )),
    HttpApiEndpoint.post("create", classroomPosts, {
      params: space,
      payload: CreatePost,
      success: Data(Post).pipe(HttpApiSchema.status(201)),
      error: [MentionUnknown, NotFound, PostingNotAllowed, SpaceArchived, StudentRemoved]
    }).annotateMerge(described(
      "Post in a space as a student",
      "It pays `post_published`, up to 5 times a day in the club's time zone. Refused where only the staff posts"
    )).middleware(Idempotent).middleware(StudentWrites),
    HttpApiEndpoint.get("get", classroomPost, { params: post, success: Data(Post), error: NotFound })
      .annotateMerge(described(
        "Read a post that one sees",
        "Its comments are a list of their own. 404 while the community is not published"
      )),
    HttpApiEndpoint.patch("update", classroomPost, {
      params: post,
      payload: PostWords,
      success: Data(Post),
      error: [NotFound, NotTheAuthor, StudentRemoved]
    }).annotateMerge(described(
      "Change the words of one's own post",
      "Omitted fields keep their values, and a null title removes the title. It pays nothing again. A deleted post cannot be changed"
    )).middleware(StudentWrites),
    HttpApiEndpoint.delete("remove", classroomPost, {
      params: post,
      success: HttpApiSchema.NoContent,
      error: [NotFound, StudentRemoved]
    }).annotateMerge(described(
      "Delete one's own post",
      "Its words are erased. A tombstone stays while comments on it are visible, and the comments stay too. What it paid stays"
    )).middleware(StudentWrites)
  )
  .middleware(ClubStudent)
  .prefix("/clubs/:clubId")
  .annotate(GroupAudience, "classroom")
  .annotate(OpenApi.Title, "Posts in the classroom")
  .annotate(OpenApi.Description, "Students' posts in the spaces of the published community")
{}

/** The community as a student sees it. */
export class ClassroomCommunityApi extends HttpApiGroup.make("classroomCommunity")
  .add(
    HttpApiEndpoint.get("read", "/classroom/community", {
      params: clubPath,
      success: Data(Community),
      error: NotFound
    }).annotateMerge(described(
      "Read the community and the spaces that one sees",
      "404 while it is not published. It omits hidden and archived spaces, and those of deliveries that the student does not have"
    )),
    HttpApiEndpoint.get("spaces", "/classroom/spaces", {
      params: clubPath,
      success: WholeList(ClassroomSpace)
    }).annotateMerge(described(
      "List the spaces that one sees, with what is unread",
      "In the order of the community. Empty while it is not published. Posts of one's own, hidden ones and deleted ones are never unread"
    )),
    HttpApiEndpoint.put("see", "/classroom/spaces/:spaceId/seen", {
      params: space,
      success: HttpApiSchema.NoContent,
      error: [NotFound, StudentRemoved]
    }).annotateMerge(described(
      "Mark a space as seen",
      "Up to its newest post. The mark never moves back, and repeating it changes nothing"
    )).middleware(StudentWrites)
  )
  .middleware(ClubStudent)
  .prefix("/clubs/:clubId")
  .annotate(GroupAudience, "classroom")
  .annotate(OpenApi.Title, "Community in the classroom")
  .annotate(OpenApi.Description, "The published community and its spaces, as a student sees them")
{}
