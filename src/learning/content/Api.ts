import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AllowedRoles, ClubMember, clubPath, contentStaff } from "../../identity/authentication/Authentication.ts"
import { ClubWrites } from "../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../identity/people/Scope.ts"
import { AgentTool } from "../../platform/http/AgentTool.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { Conditional } from "../../platform/http/Conditional.ts"
import { described } from "../../platform/http/Described.ts"
import { NotFound, ValidationFailed } from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
import { Order, OrderInvalid } from "../../platform/http/Order.ts"
import { Data, InvalidCursor, Page, PageQuery, WholeList } from "../../platform/http/Page.ts"
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
import { OpeningAmbiguous } from "./Opening.ts"
import { Outline } from "./Outline.ts"
import { PublicIdTaken } from "./PublicId.ts"
import { QuestionUnknown } from "./Question.ts"

/** The fields for agents. */
const shown = {
  course: "id public_id title position live_lessons created_at",
  module: "id course_id title position opens_after_days opens_at created_at"
}

const course = { ...clubPath, courseId: sentId(CourseId).pipe(field("The `id` of a course of the club")) }
const module = {
  ...clubPath,
  moduleId: sentId(ModuleId).pipe(field("The `id` of a module of one of the club's courses"))
}
const lesson = { ...clubPath, lessonId: sentId(LessonId).pipe(field("The `id` of a lesson, not its `public_id`")) }
const block = { ...clubPath, blockId: sentId(BlockId).pipe(field("The `id` of a block of one of the club's lessons")) }

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
    }).annotate(AgentTool, { name: "courses_list", fields: shown.course }).annotateMerge(described(
      "List the courses in their order",
      "Those that were not deleted, whether students see something of them or not"
    )).middleware(Conditional),
    HttpApiEndpoint.post("create", "/courses", {
      params: clubPath,
      payload: CreateCourse,
      success: Data(Course).pipe(HttpApiSchema.status(201)),
      error: [CourseLimitReached, MediaUnknown, PublicIdTaken]
    }).annotateMerge(described(
      "Create a course",
      "It is empty at first. Students see its live lessons once a delivery that they have contains it. A club has at most 1000 courses"
    )).annotate(AllowedRoles, contentStaff).middleware(Idempotent),
    HttpApiEndpoint.put("order", "/courses/order", {
      params: clubPath,
      payload: Order(CourseId),
      success: WholeList(Course),
      error: OrderInvalid
    }).annotateMerge(described(
      "Put the courses in another order",
      "All courses of the club are named, each once. The answer is the list in the new order, whole, whatever its length"
    )).annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.get("get", oneCourse, { params: course, success: Data(Course), error: NotFound }).annotate(
      AgentTool,
      { name: "courses_show", fields: shown.course }
    ).annotateMerge(described("Read a course", "Its modules and their lessons are lists of their own"))
      .middleware(Conditional),
    HttpApiEndpoint.patch("update", oneCourse, {
      params: course,
      payload: CoursePatch,
      success: Data(Course),
      error: [MediaUnknown, NotFound, PublicIdTaken]
    }).annotateMerge(described(
      "Change a course",
      "Omitted fields keep their values, and null clears. A new `public_id` frees the one before for another course"
    )).annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.delete("remove", oneCourse, {
      params: course,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotateMerge(described(
      "Delete a course with its modules and lessons",
      "Students no longer see it, nor the comments on its lessons. Their completions and points are kept, and its `public_id` stays taken. It cannot be undone"
    )).annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.get("outline", `${oneCourse}/outline`, {
      params: course,
      success: Data(Outline),
      error: NotFound
    }).annotate(AgentTool, { name: "course_outline_show", fields: `${shown.course} modules` }).annotateMerge(described(
      "Read a course with its modules and lessons",
      "In their order, drafts too. It is whole: a course has at most 200 modules and 1000 lessons"
    )).middleware(Conditional),
    HttpApiEndpoint.get("listModules", `${oneCourse}/modules`, {
      params: course,
      success: WholeList(Module),
      error: NotFound
    }).annotate(AgentTool, { name: "modules_list", fields: shown.module })
      .annotateMerge(described(
        "List the modules of a course in their order",
        "The list is whole; `next_cursor` is always null"
      )).middleware(Conditional),
    HttpApiEndpoint.post("createModule", `${oneCourse}/modules`, {
      params: course,
      payload: CreateModule,
      success: Data(Module).pipe(HttpApiSchema.status(201)),
      error: [ModuleLimitReached, NotFound, OpeningAmbiguous]
    }).annotateMerge(described(
      "Add a module",
      "It comes after the other modules of the course, which has at most 200. Students see it once a lesson in it is live"
    )).annotate(AllowedRoles, contentStaff).middleware(Idempotent),
    HttpApiEndpoint.put("orderModules", `${oneCourse}/modules/order`, {
      params: course,
      payload: Order(ModuleId),
      success: WholeList(Module),
      error: [NotFound, OrderInvalid]
    }).annotateMerge(described(
      "Put the modules of a course in another order",
      "All modules of the course are named, each once. Students see the new order at once, in what comes before and after a lesson too"
    )).annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.get("getModule", oneModule, { params: module, success: Data(Module), error: NotFound }).annotate(
      AgentTool,
      { name: "modules_show", fields: shown.module }
    ).annotateMerge(described("Read a module", "Its lessons are a list of their own")),
    HttpApiEndpoint.patch("updateModule", oneModule, {
      params: module,
      payload: ModulePatch,
      success: Data(Module),
      error: [NotFound, OpeningAmbiguous]
    }).annotateMerge(described(
      "Change a module",
      "Omitted fields keep their values, and null clears. A lesson opens at the later of its module's and its own opening"
    ))
      .annotate(
        AllowedRoles,
        contentStaff
      ),
    HttpApiEndpoint.delete("removeModule", oneModule, {
      params: module,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotateMerge(described(
      "Delete a module with its lessons",
      "Students see nothing of it from then on. Their completions and points are kept. Students who lacked only its lessons have finished the course: points are paid and `course.completed` goes out within moments. It cannot be undone"
    )).annotate(AllowedRoles, contentStaff)
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "content")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Courses")
  .annotate(OpenApi.Description, "A club's courses and their modules, as the staff keeps them")
{}

/** Lessons and their blocks, as the staff keeps them (http-surface, Content). */
export class LessonsApi extends HttpApiGroup.make("lessons")
  .add(
    HttpApiEndpoint.get("list", `${oneModule}/lessons`, {
      params: module,
      success: WholeList(Lesson),
      error: NotFound
    }).annotate(AgentTool, {
      name: "lessons_list",
      fields: "id module_id public_id title position published_at opens_after_days opens_at"
    })
      .annotateMerge(described(
        "List the lessons of a module in their order",
        "Drafts too. The list is whole; `next_cursor` is always null"
      )),
    HttpApiEndpoint.post("create", `${oneModule}/lessons`, {
      params: module,
      payload: CreateLesson,
      success: Data(Lesson).pipe(HttpApiSchema.status(201)),
      error: [LessonLimitReached, NotFound, OpeningAmbiguous, PublicIdTaken]
    }).annotateMerge(described(
      "Add a lesson",
      "It is a draft until it is published, and comes after the other lessons of the module. A module has at most 200 lessons, and a course 1000"
    ))
      .annotate(AllowedRoles, contentStaff).middleware(Idempotent),
    HttpApiEndpoint.put("order", `${oneModule}/lessons/order`, {
      params: module,
      payload: Order(LessonId),
      success: WholeList(Lesson),
      error: [NotFound, OrderInvalid]
    }).annotateMerge(described(
      "Put the lessons of a module in another order",
      "All lessons of the module are named, drafts too, each once. Students see the new order at once, in what comes before and after a lesson too"
    )).annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.get("get", oneLesson, { params: lesson, success: Data(Lesson), error: NotFound }).annotate(
      AgentTool,
      {
        name: "lessons_show",
        fields: "id course_id module_id public_id title position published_at opens_after_days opens_at created_at"
      }
    ).annotateMerge(described("Read a lesson", "Its blocks are a list of their own")),
    HttpApiEndpoint.patch("update", oneLesson, {
      params: lesson,
      payload: LessonPatch,
      success: Data(Lesson),
      error: [LessonLimitReached, ModuleUnknown, NotFound, OpeningAmbiguous, PublicIdTaken]
    }).annotateMerge(described(
      "Change a lesson or move it to another module of its course",
      "Omitted fields keep their values. Moved, it comes after the other lessons of that module, which has room for 200. A lesson opens for a student at the later of its module's and its own opening. A new `public_id` frees the one before for another lesson; a new title is read anew by the assistant"
    )).annotate(
      AllowedRoles,
      contentStaff
    ),
    HttpApiEndpoint.put("publish", `${oneLesson}/publication`, {
      params: lesson,
      payload: Publication,
      success: Data(Lesson),
      error: NotFound
    }).annotateMerge(described(
      "Publish, schedule or unpublish a lesson",
      "Students who have the course see it from `published_at` on; null takes it away from them again, and keeps what they completed. Publishing tells nobody. Students who lacked only a hidden lesson have finished the course: points are paid and `course.completed` goes out within moments"
    )).annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.delete("remove", oneLesson, {
      params: lesson,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotateMerge(described(
      "Delete a lesson with its blocks",
      "Students see nothing of it from then on, comments on it included. Their completions and points are kept, and its `public_id` stays taken. Students who lacked only this lesson have finished the course: points are paid and `course.completed` goes out within moments. It cannot be undone"
    )).annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.get("listBlocks", `${oneLesson}/blocks`, {
      params: lesson,
      success: WholeList(Block),
      error: NotFound
    }).annotate(AgentTool, { name: "blocks_list", fields: "id kind title position media_id" }).annotateMerge(described(
      "List the blocks of a lesson in their order",
      "With the answers of quizzes. The list is whole; `next_cursor` is always null"
    )),
    HttpApiEndpoint.post("createBlock", `${oneLesson}/blocks`, {
      params: lesson,
      payload: CreateBlock,
      success: Data(Block).pipe(HttpApiSchema.status(201)),
      error: [BlockLimitReached, MediaUnknown, NotFound, QuestionUnknown]
    }).annotateMerge(described(
      "Add a block",
      "It comes after the other blocks of the lesson, and students see it at once if the lesson is live. A lesson has at most 50 blocks and 512 KiB of texts and questions together. The assistant reads texts, transcripts and PDF files, not quizzes and assignments"
    )).annotate(AllowedRoles, contentStaff).middleware(Idempotent),
    HttpApiEndpoint.put("orderBlocks", `${oneLesson}/blocks/order`, {
      params: lesson,
      payload: Order(BlockId),
      success: WholeList(Block),
      error: [NotFound, OrderInvalid]
    }).annotateMerge(described(
      "Put the blocks of a lesson in another order",
      "All blocks of the lesson are named, each once. Students see the new order at once"
    )).annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.get("getBlock", oneBlock, { params: block, success: Data(Block), error: NotFound }).annotate(
      AgentTool,
      { name: "blocks_show", fields: "id lesson_id kind title position body media_id questions pass_percent" }
    ).annotateMerge(described("Read a block", "With which options of a quiz are correct")),
    HttpApiEndpoint.patch("updateBlock", oneBlock, {
      params: block,
      payload: BlockPatch,
      success: Data(Block),
      error: [BlockLimitReached, MediaUnknown, NotFound, QuestionUnknown, ValidationFailed]
    }).annotateMerge(described(
      "Change a block",
      "Omitted fields keep their values; a field that the block's kind does not have is refused. `questions` are the whole list: questions sent with their `id` stay, and omitted ones are deleted. Attempts that students made before keep their results"
    )).annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.delete("removeBlock", oneBlock, {
      params: block,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotateMerge(described(
      "Delete a block",
      "Students' submissions and answers are kept; submissions can still be read and decided. A file that only this block showed can be deleted from then on. It cannot be undone"
    )).annotate(AllowedRoles, contentStaff)
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "content")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Lessons")
  .annotate(OpenApi.Description, "Lessons and their blocks, as the staff keeps them")
{}
