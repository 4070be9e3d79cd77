import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AllowedRoles, ClubMember, clubPath, contentStaff } from "../../identity/authentication/Authentication.ts"
import { ClubWrites } from "../../identity/limits/RateLimit.ts"
import { Conditional } from "../../platform/http/Conditional.ts"
import { NotFound, ValidationFailed } from "../../platform/http/errors.ts"
import { Order, OrderInvalid } from "../../platform/http/Order.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Idempotent } from "../../platform/idempotency/Idempotency.ts"
import { MediaUnknown } from "../media/Attachments.ts"
import { Block, BlockId, BlockLimitReached, BlockPatch, CreateBlock } from "./Block.ts"
import { Course, CourseId, CourseLimitReached, CoursePatch, CreateCourse } from "./Course.ts"
import {
  CreateLesson,
  Lesson,
  LessonId,
  LessonLimitReached,
  LessonPatch,
  ModuleUnknown,
  Publication
} from "./Lesson.ts"
import { CreateModule, Module, ModuleId, ModuleLimitReached, ModulePatch } from "./Module.ts"
import { PublicIdTaken } from "./PublicId.ts"
import { QuestionUnknown } from "./Question.ts"

const course = { ...clubPath, courseId: sentId(CourseId) }
const module = { ...clubPath, moduleId: sentId(ModuleId) }
const lesson = { ...clubPath, lessonId: sentId(LessonId) }
const block = { ...clubPath, blockId: sentId(BlockId) }

const oneCourse = "/courses/:courseId"
const oneModule = "/modules/:moduleId"
const oneLesson = "/lessons/:lessonId"
const oneBlock = "/blocks/:blockId"

/** Courses and their modules, as the staff keeps them (http-surface, Content). */
export class CoursesApi extends HttpApiGroup.make("courses")
  .add(
    HttpApiEndpoint.get("list", "/courses", {
      params: clubPath,
      query: PageQuery,
      success: Page(Course),
      error: InvalidCursor
    }).annotate(OpenApi.Summary, "List the courses in their order").middleware(Conditional),
    HttpApiEndpoint.post("create", "/courses", {
      params: clubPath,
      payload: CreateCourse,
      success: Data(Course).pipe(HttpApiSchema.status(201)),
      error: [CourseLimitReached, PublicIdTaken]
    }).annotate(OpenApi.Summary, "Create a course").annotate(
      OpenApi.Description,
      "Students with a delivery that contains it see its live lessons"
    ).annotate(AllowedRoles, contentStaff).middleware(Idempotent),
    HttpApiEndpoint.put("order", "/courses/order", {
      params: clubPath,
      payload: Order(CourseId),
      success: Page(Course),
      error: OrderInvalid
    }).annotate(OpenApi.Summary, "Put the courses in another order").annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.get("get", oneCourse, { params: course, success: Data(Course), error: NotFound }).annotate(
      OpenApi.Summary,
      "Read a course"
    ).middleware(Conditional),
    HttpApiEndpoint.patch("update", oneCourse, {
      params: course,
      payload: CoursePatch,
      success: Data(Course),
      error: [NotFound, PublicIdTaken]
    }).annotate(OpenApi.Summary, "Change a course").annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.delete("remove", oneCourse, {
      params: course,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotate(OpenApi.Summary, "Delete a course with its modules and lessons").annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.get("listModules", `${oneCourse}/modules`, {
      params: course,
      success: Page(Module),
      error: NotFound
    }).annotate(OpenApi.Summary, "List the modules of a course in their order").middleware(Conditional),
    HttpApiEndpoint.post("createModule", `${oneCourse}/modules`, {
      params: course,
      payload: CreateModule,
      success: Data(Module).pipe(HttpApiSchema.status(201)),
      error: [ModuleLimitReached, NotFound]
    }).annotate(OpenApi.Summary, "Add a module").annotate(AllowedRoles, contentStaff).middleware(Idempotent),
    HttpApiEndpoint.put("orderModules", `${oneCourse}/modules/order`, {
      params: course,
      payload: Order(ModuleId),
      success: Page(Module),
      error: [NotFound, OrderInvalid]
    }).annotate(OpenApi.Summary, "Put the modules of a course in another order").annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.get("getModule", oneModule, { params: module, success: Data(Module), error: NotFound }).annotate(
      OpenApi.Summary,
      "Read a module"
    ),
    HttpApiEndpoint.patch("updateModule", oneModule, {
      params: module,
      payload: ModulePatch,
      success: Data(Module),
      error: NotFound
    }).annotate(OpenApi.Summary, "Change a module").annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.delete("removeModule", oneModule, {
      params: module,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotate(OpenApi.Summary, "Delete a module with its lessons").annotate(AllowedRoles, contentStaff)
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Courses")
  .annotate(OpenApi.Description, "What a club teaches: courses and their modules, as the staff keeps them")
{}

/** Lessons and the blocks that they are made of, as the staff keeps them (http-surface, Content). */
export class LessonsApi extends HttpApiGroup.make("lessons")
  .add(
    HttpApiEndpoint.get("list", `${oneModule}/lessons`, {
      params: module,
      success: Page(Lesson),
      error: NotFound
    }).annotate(OpenApi.Summary, "List the lessons of a module in their order"),
    HttpApiEndpoint.post("create", `${oneModule}/lessons`, {
      params: module,
      payload: CreateLesson,
      success: Data(Lesson).pipe(HttpApiSchema.status(201)),
      error: [LessonLimitReached, NotFound, PublicIdTaken]
    }).annotate(OpenApi.Summary, "Add a lesson").annotate(OpenApi.Description, "It is a draft until it is published")
      .annotate(AllowedRoles, contentStaff).middleware(Idempotent),
    HttpApiEndpoint.put("order", `${oneModule}/lessons/order`, {
      params: module,
      payload: Order(LessonId),
      success: Page(Lesson),
      error: [NotFound, OrderInvalid]
    }).annotate(OpenApi.Summary, "Put the lessons of a module in another order").annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.get("get", oneLesson, { params: lesson, success: Data(Lesson), error: NotFound }).annotate(
      OpenApi.Summary,
      "Read a lesson"
    ),
    HttpApiEndpoint.patch("update", oneLesson, {
      params: lesson,
      payload: LessonPatch,
      success: Data(Lesson),
      error: [LessonLimitReached, ModuleUnknown, NotFound, PublicIdTaken]
    }).annotate(OpenApi.Summary, "Change a lesson or move it to another module of its course").annotate(
      AllowedRoles,
      contentStaff
    ),
    HttpApiEndpoint.put("publish", `${oneLesson}/publication`, {
      params: lesson,
      payload: Publication,
      success: Data(Lesson),
      error: NotFound
    }).annotate(OpenApi.Summary, "Publish, schedule or unpublish a lesson").annotate(
      OpenApi.Description,
      "Students see it from published_at on; null makes it a draft"
    ).annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.delete("remove", oneLesson, {
      params: lesson,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotate(OpenApi.Summary, "Delete a lesson with its blocks").annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.get("listBlocks", `${oneLesson}/blocks`, {
      params: lesson,
      success: Page(Block),
      error: NotFound
    }).annotate(OpenApi.Summary, "List the blocks of a lesson in their order"),
    HttpApiEndpoint.post("createBlock", `${oneLesson}/blocks`, {
      params: lesson,
      payload: CreateBlock,
      success: Data(Block).pipe(HttpApiSchema.status(201)),
      error: [BlockLimitReached, MediaUnknown, NotFound, QuestionUnknown]
    }).annotate(OpenApi.Summary, "Add a block").annotate(AllowedRoles, contentStaff).middleware(Idempotent),
    HttpApiEndpoint.put("orderBlocks", `${oneLesson}/blocks/order`, {
      params: lesson,
      payload: Order(BlockId),
      success: Page(Block),
      error: [NotFound, OrderInvalid]
    }).annotate(OpenApi.Summary, "Put the blocks of a lesson in another order").annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.get("getBlock", oneBlock, { params: block, success: Data(Block), error: NotFound }).annotate(
      OpenApi.Summary,
      "Read a block"
    ),
    HttpApiEndpoint.patch("updateBlock", oneBlock, {
      params: block,
      payload: BlockPatch,
      success: Data(Block),
      error: [BlockLimitReached, MediaUnknown, NotFound, QuestionUnknown, ValidationFailed]
    }).annotate(OpenApi.Summary, "Change a block").annotate(
      OpenApi.Description,
      "Questions are the whole list; those sent with their id stay, with the answers that students gave"
    ).annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.delete("removeBlock", oneBlock, {
      params: block,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotate(OpenApi.Summary, "Delete a block").annotate(AllowedRoles, contentStaff)
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Lessons")
  .annotate(OpenApi.Description, "Lessons and the blocks that they are made of, as the staff keeps them")
{}
