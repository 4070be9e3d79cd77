// Made by `npm run sdk:types` from the OpenAPI document, do not edit: 630c5a4042d014f83d01c86a48739aa3b24e789f9998317f71b985669b8a6169

export interface components {
  schemas: {
    /** @description One entry of a student's access history */
    AccessEvent: {
      /**
       * Format: uuid
       * @description Names the entry
       */
      id: string;
      /**
       * Format: uuid
       * @description The access that it happened to
       */
      enrollment_id: string;
      /**
       * @description What happened
       */
      kind: "granted" | "revoked" | "extended" | "shortened" | "restored" | "moved" | "expired";
      /**
       * Format: date-time
       * @description When it happened
       */
      occurred_at: string;
      /** @description When the access ends, as of this entry; null: never */
      effective_expires_at: string | null;
      /** @description Why, in the words of the member who did it; null where none were given */
      reason: string | null;
      /** @description The member who did it; null where no member did */
      actor_user_id: string | null;
      /** @description The inbound event of a sales platform that it followed from; null where none did */
      platform_event_id: string | null;
    };
    /** @description The assistant of a club, as its members see it */
    Agent: {
      /**
       * Format: uuid
       * @description Names the agent on routes, and as the author of what the assistant writes
       */
      id: string;
      /** @description What the assistant is called, in answers and below comments */
      name: string;
      /** @description Whether it answers questions and comments; what it wrote stays */
      enabled: boolean;
      /** @description How many questions a student may ask a day, in the club's time zone; with 0 none */
      daily_limit: number;
      /** @description How many answers and replies the club allows in a month of its time zone, all students together; null sets no limit besides that of its plan */
      monthly_budget: number | null;
      /**
       * Format: date-time
       * @description When the agent was created, with the club
       */
      created_at: string;
    };
    /** @description A terminal that an administrator has let in */
    ApprovedDevice: {
      /** @description What its key is called */
      name: string;
    };
    /** @description What a student and the assistant said to each other about one lesson */
    AskConversation: {
      /**
       * Format: uuid
       * @description Names the conversation on routes, and in the next question
       */
      id: string;
      /** @description The first words of its first question, at most 120 characters */
      title: string;
      /**
       * Format: date-time
       * @description When the last question was asked, or the last answer ended
       */
      last_message_at: string;
      /**
       * Format: date-time
       * @description When the first question was asked
       */
      created_at: string;
    };
    /** @description An image that a student sent with a question */
    AskImage: {
      /**
       * Format: uuid
       * @description Names the record on routes, and where something attaches or shows it
       */
      id: string;
      /**
       * @description What it is: told from the type of a file; a provider's is always a `video`
       */
      kind: "video" | "image" | "audio" | "document" | "file";
      /** @description What it is called; a file has its name until the staff says otherwise */
      title: string;
      /**
       * @description Where it is: in the platform's `storage`, or with a provider of hosted videos
       */
      provider: "storage" | "youtube" | "vimeo" | "panda" | "bunny" | "mux";
      /**
       * @description `uploading` until the upload is confirmed, then `ready`; `failed` if what came is not what was announced. Only what is ready can be shown
       */
      status: "uploading" | "ready" | "failed";
      /**
       * @description A mark that the staff sets, `private` at first. It opens nothing: files are reached by addresses that end
       */
      visibility: "private" | "public";
      /** @description Whether it is put away: lists leave it out unless asked for, and what shows it goes on showing it */
      archived: boolean;
      /**
       * Format: date-time
       * @description When the upload was begun, or the provider's video added
       */
      created_at: string;
      /** @description The name that the file was announced with; null with a provider */
      file_name: string | null;
      /** @description The media type that the file was announced with; null with a provider */
      mime: string | null;
      /** @description How large the file is, in bytes; null with a provider */
      size_bytes: number | null;
      /** @description The provider's own id of the video; null for a file */
      external_id: string | null;
      /** @description How the file differs from what was announced; null unless the upload has failed */
      error: string | null;
      /** @description How long it plays, in seconds, as the staff says; null if nobody said so */
      duration_seconds: number | null;
      /** @description Of an image, in pixels; null for everything else, and where the file does not tell */
      width: number | null;
      /** @description Of an image, in pixels; null for everything else, and where the file does not tell */
      height: number | null;
      /** @description A preview of it, as the staff says; null if nobody said so */
      preview_url: string | null;
      /** @description A small still picture of it, as the staff says; null if nobody said so */
      thumbnail_url: string | null;
      /** @description The folder of the library that it is in; null if it is in none */
      folder_id: string | null;
      /**
       * @description The same as `kind`
       */
      type: "video" | "image" | "audio" | "document" | "file";
      /**
       * Format: uri
       * @description Where it can be opened, for an hour after this answer. Whoever has the address can open it
       */
      download_url: string;
      /** @description Whether the record is marked as a favorite */
      favorite: boolean;
      /** @description How many questions show it, this one included */
      usage_count: number;
    };
    /** @description How much a student may still ask the assistant */
    AskLimits: {
      /** @description How many questions each student of the club may ask a day */
      daily_limit: number;
      /** @description How many the student has asked today, those that were given back aside */
      used: number;
      /** @description How many the student may still ask today; 0 also where the limit was lowered */
      remaining: number;
      /** @description Whether the club's answers of its month, or of its plan's period, are used up, so that nobody may ask */
      club_budget_exhausted: boolean;
      /**
       * Format: date-time
       * @description When the student's day ends, in the club's time zone
       */
      resets_at: string;
    };
    /** @description A student's question to the assistant, or the answer to one */
    AskMessage: {
      /**
       * Format: uuid
       * @description Names the message on routes; messages sort by it as they were made
       */
      id: string;
      /**
       * @description `user`: a question of the student's; `assistant`: the answer to one
       */
      role: "user" | "assistant";
      /** @description The question as it was sent, or the answer as far as it is, which may have simple Markdown; empty before its first word */
      content: string;
      /**
       * @description A question is `completed` as it is asked; an answer is `generating` until it ends, once
       */
      status: "generating" | "completed" | "failed" | "canceled";
      /** @description The images that came with a question, in their order; removed ones are left out. An answer has none */
      images: components["schemas"]["AskImage"][];
      /** @description What an answer quotes from the course's material; none of a question */
      citations: components["schemas"]["Citation"][];
      /**
       * Format: date-time
       * @description When the question was asked
       */
      created_at: string;
      /** @description Why an answer failed: it took longer than 2 minutes (`timeout`), the process that generated it died (`interrupted`), or the model was away, had too much to do or refused; null unless it failed */
      error_code: ("timeout" | "interrupted" | "provider_unavailable" | "provider_rate_limited" | "answer_refused") | null;
      /** @description The question that it answers; null of a question */
      reply_to: string | null;
      /** @description When it was asked, or the answer ended, however it did; null while it is `generating` */
      completed_at: string | null;
    };
    /** @description What a student asked about a lesson, and may still ask */
    AskState: {
      /** @description What the club's assistant is called */
      agent_name: string;
      /** @description How much the student may still ask */
      limits: components["schemas"]["AskLimits"];
      /** @description The latest 50 messages of the conversation, the oldest first; none without a conversation */
      messages: components["schemas"]["AskMessage"][];
      /** @description The student's conversation about this lesson that was the last to go on; null if they asked nothing yet */
      conversation: components["schemas"]["AskConversation"] | null;
    };
    /** @description A question that was accepted, and the answer that is being generated */
    Asked: {
      /** @description The conversation that the question is in, a new one if none was named */
      conversation: components["schemas"]["AskConversation"];
      /** @description The question */
      message: components["schemas"]["AskMessage"];
      /** @description The answer to it, `generating` and still empty: read it, or follow its stream, by its `id` */
      reply: components["schemas"]["AskMessage"];
      /** @description How much the student may ask after this one */
      limits: components["schemas"]["AskLimits"];
    };
    /** @description A student's question to the assistant with its answer */
    AskedQuestion: {
      /**
       * Format: uuid
       * @description The question; questions sort by it as they were asked
       */
      id: string;
      /** @description The lesson that it is about */
      lesson: {
        /**
         * Format: uuid
         * @description Names the lesson on the dashboard's routes
         */
        id: string;
        /** @description Names it in the classroom */
        public_id: string;
        /** @description What the lesson is called now */
        title: string;
      };
      /** @description Who asked */
      student: {
        /**
         * Format: uuid
         * @description Names the student on routes
         */
        id: string;
        /** @description What the student is called now */
        name: string;
      };
      /** @description What was asked, as it was sent */
      question: string;
      /** @description What was answered so far, which may have simple Markdown; empty before the first word */
      answer: string;
      /**
       * @description What has become of the answer
       */
      status: "generating" | "completed" | "failed" | "canceled";
      /** @description Why the answer failed; null unless it did */
      error_code: ("timeout" | "interrupted" | "provider_unavailable" | "provider_rate_limited" | "answer_refused") | null;
      /** @description What the answer quotes from the course's material */
      citations: components["schemas"]["Citation"][];
      /**
       * @description How many answers of the club's budget it took: 0 where its answer was given back
       * @enum {number}
       */
      cost: 0 | 1;
      /**
       * Format: date-time
       * @description When it was asked
       */
      created_at: string;
      /** @description When the answer ended, however it did; null while it is `generating` */
      completed_at: string | null;
    };
    /** @description What the assistant did on one day of a club */
    AssistantDay: {
      /**
       * Format: date
       * @description The day, in the club's time zone
       */
      date: string;
      /** @description How many questions students asked */
      questions: number;
      /** @description How many of them were answered */
      answered: number;
      /** @description How many of their answers failed */
      failed: number;
      /** @description How many of their answers were canceled; what is left is `generating` */
      canceled: number;
      /** @description How many comments the assistant replied to */
      replies: number;
      /** @description How many answers of the club's budget both took, less what was given back; without replies kept back */
      cost: number;
    };
    /** @description What the assistant did day by day, and what is left of it */
    AssistantUsage: {
      /**
       * Format: date-time
       * @description When the first of the days began
       */
      from: string;
      /**
       * Format: date-time
       * @description When the last of them, today, ends
       */
      until: string;
      /** @description Every day of the window, the oldest first */
      days: components["schemas"]["AssistantDay"][];
      /** @description The club's answers of this month */
      budget: {
        /**
         * Format: date
         * @description The first day of the club's month
         */
        month: string;
        /** @description How many answers and replies the club allows in a month; null sets no limit besides that of its plan */
        monthly_budget: number | null;
        /** @description How many of them are used */
        used: number;
        /** @description Whether nothing is left, of the month or of the plan's period, so that nobody may ask */
        exhausted: boolean;
        /**
         * Format: date-time
         * @description When the club's month ends
         */
        resets_at: string;
      };
    };
    /** @description Who did what in the club, by which key */
    AuditEntry: {
      /**
       * Format: uuid
       * @description Names the entry; entries are in the order of their ids
       */
      id: string;
      /**
       * Format: date-time
       * @description When the request came
       */
      at: string;
      /** @description Who did it; for a key whom it acted for */
      actor: {
        /**
         * Format: uuid
         * @description The account of the administrator
         */
        user_id: string;
        /** @description Their name as it is today */
        name: string;
        /**
         * Format: email
         * @description The address that the account signs in with
         */
        email: string;
      };
      /** @description The key by which it was done, revoked or not; null where it was a session */
      key: {
        /**
         * Format: uuid
         * @description Names the key
         */
        id: string;
        /** @description What the club calls the key */
        name: string;
        /** @description The 8 characters after `turma_` in its token */
        prefix: string;
      } | null;
      /** @description What was asked for: the `operationId` of the operation in the OpenAPI document */
      operation: string;
      /** @description The ids in the path of the request, by their names there; without the club's */
      targets: {
        [key: string]: string;
      };
      /** @description The student it is about, by the path or by what was created or changed; null where there is none */
      student_id: string | null;
      /** @description The `id` of what was created; null where nothing was */
      created_id: string | null;
      /** @description The `X-Request-Id` of the answer; null once the student it is about was removed */
      request_id: string | null;
      /**
       * @description `done`: something was changed, or the request succeeded; `refused`: role or key do not allow it
       */
      outcome: "done" | "refused";
    };
    /** @description How often a key has read personal data, by the hour */
    AuditReads: {
      /**
       * Format: uuid
       * @description Names the count; counts are in the order of their ids
       */
      id: string;
      /**
       * Format: uuid
       * @description The key that has read
       */
      key_id: string;
      /** @description What was read: the `operationId` of the operation in the OpenAPI document */
      operation: string;
      /**
       * Format: date-time
       * @description When the hour began
       */
      hour: string;
      /** @description How many requests there were */
      count: number;
    };
    /** @description Who wrote something */
    Author: {
      /** @description What the person or the assistant is called now */
      name: string;
      /**
       * @description Whether a student, a member of the staff or the club's assistant wrote it
       */
      role: "student" | "staff" | "assistant";
      /**
       * Format: uuid
       * @description The id of the student, of the member's account, or of the assistant's agent
       */
      id: string;
      /** @description Whether the student was removed, and the name is not theirs */
      anonymized: boolean;
    };
    /** @description An add-on of the catalog, and whether the club can have it */
    AvailableAddon: {
      /** @description Names the add-on, when it is contracted and removed too */
      key: string;
      /** @description What people call the add-on */
      name: string;
      /** @description The price of a month, in cents of the catalog's currency */
      monthly_price_cents: number;
      /** @description Whether the club has it */
      contracted: boolean;
      /** @description Whether the club has it and can remove it; some add-ons end only with the plan as a whole */
      removable: boolean;
      /** @description Why it cannot be contracted with the club's plan; null where it can */
      unavailable_reason: "not_in_plan" | null;
      /** @description The names of the plans with which it can be contracted; empty where the club's own will do */
      required_plans: string[];
    };
    /** @description What is to be bought */
    BeginCheckout: {
      /** @description The key of the plan that is to be bought, one of `GET …/billing/plans` */
      plan: string;
    };
    /** @description Where the payment provider takes the payment */
    BillingCheckout: {
      /**
       * Format: uri
       * @description The page at which the club pays. Whoever has the address can pay there
       */
      url: string;
    };
    /** @description Where the payment provider's portal is */
    BillingPortal: {
      /**
       * Format: uri
       * @description The page, for a short while. Whoever has the address can use it
       */
      url: string;
    };
    /** @description What the club has and has used of a resource in this period */
    BillingResource: {
      /** @description Names the resource */
      key: string;
      /** @description What people call the resource */
      name: string;
      /**
       * @description `flag`: it is there or not, and its numbers are 0. `metered`: units of it are used up in each period
       */
      kind: "flag" | "metered";
      /** @description Whether plan and add-ons give any of it */
      granted: boolean;
      /** @description Whether there is no allowance to exceed */
      unlimited: boolean;
      /** @description How many units plan and add-ons give in a period; 0 where it is unlimited */
      allowance: number;
      /** @description How many units of the allowance are left; 0 where it is unlimited */
      balance: number;
      /** @description How many units were used in this period */
      used: number;
      /** @description How many units were used beyond the allowance */
      overage: number;
      /** @description Whether units beyond the allowance are served and invoiced; where not, they are refused */
      bills: boolean;
    };
    /** @description A club's plan and add-ons, and what it uses of them */
    BillingStatus: {
      /** @description Whether the club has a plan. Where it has none, everything else is false, null or empty, and nothing is limited */
      managed: boolean;
      /** @description Whether the payment provider has a portal for the club */
      portal_available: boolean;
      /** @description When this period began: a month, counted from the day the plan began; null without a plan */
      period_start: string | null;
      /** @description When the next period begins; null without a plan */
      period_end: string | null;
      /** @description The club's plan; null without one */
      plan: {
        /** @description Names it in the catalog */
        key: string;
        /** @description What people call it; its key where the catalog does not have it any more */
        name: string;
      } | null;
      /** @description The add-ons that the club has */
      addons: {
        /** @description Names it in the catalog */
        key: string;
        /** @description What people call it; its key where the catalog does not have it any more */
        name: string;
      }[];
      /** @description All add-ons of the catalog, those that the club has too; empty without a plan */
      available_addons: components["schemas"]["AvailableAddon"][];
      /** @description All resources of the catalog, with what the club has and has used of each; empty without a plan */
      resources: components["schemas"]["BillingResource"][];
    };
    /** @description A part of a lesson. Texts and assignments have a `body`, videos and files a `media_id`, quizzes `questions` and `pass_percent` */
    Block: {
      /**
       * Format: uuid
       * @description Names the block on the dashboard's routes, and to students quizzes and assignments
       */
      id: string;
      /**
       * Format: uuid
       * @description The lesson that it is a part of; this never changes
       */
      lesson_id: string;
      /**
       * @description What it is, which decides the fields that it has; this never changes
       */
      kind: "text" | "video" | "quiz" | "assignment" | "file";
      /** @description What stands above the block; null for nothing */
      title: string | null;
      /** @description Orders the blocks of the lesson, the lowest first; there may be gaps */
      position: number;
      /** @description The words of a text, or what an assignment asks for, as they were sent; null for other kinds */
      body: string | null;
      /** @description The media record of the library that the block shows: of the kind `video` for a video, any for a file; null for other kinds */
      media_id: string | null;
      /** @description The questions of a quiz, in the order in which they are asked; null for other kinds */
      questions: {
        /**
         * Format: uuid
         * @description What students send as `question_id` to answer it. It stays when the text is changed
         */
        id: string;
        /** @description What is asked */
        text: string;
        /** @description The answers to choose from, in the order in which they are shown */
        options: {
          /**
           * Format: uuid
           * @description What students send as `option_id` to choose it. It stays when the text is changed
           */
          id: string;
          /** @description An answer to choose */
          text: string;
          /** @description Whether choosing it answers the question; one option or more of a question do */
          correct: boolean;
        }[];
      }[] | null;
      /** @description How many percent of the questions have to be answered correctly to pass the quiz; null for other kinds */
      pass_percent: number | null;
      /**
       * Format: date-time
       * @description When the block was added
       */
      created_at: string;
    };
    /** @description The place in the course's material that supports what the assistant says */
    Citation: {
      /** @description Words that stand so in the source */
      cited_text: string;
      /**
       * Format: uuid
       * @description The block of the lesson, or the media record, that was quoted
       */
      source_id: string;
      /**
       * @description `lesson`: a text of a lesson; `media`: the transcript or a page of a media record
       */
      source_kind: "lesson" | "media";
      /** @description What the block, or else its lesson, or the media record is called */
      source_title: string;
      /** @description The media record that was quoted; null where it was a lesson's text */
      media_id: string | null;
      /**
       * Format: uuid
       * @description The lesson that has the text, or shows the media record
       */
      lesson_id: string;
      /** @description The first page that was quoted, from 1 on; null where the source has no pages */
      page_from: number | null;
      /** @description The last page that was quoted, itself included; null where the source has no pages */
      page_to: number | null;
    };
    /** @description A block as students see it, with what they last did in it */
    ClassroomBlock: {
      /**
       * @description A text to read
       */
      kind: "text";
      /**
       * Format: uuid
       * @description The block's id; quizzes are answered and assignments submitted to under it
       */
      id: string;
      /** @description What stands above the block; null for nothing */
      title: string | null;
      /** @description The words of the text */
      body: string;
    } | {
      /**
       * @description A video to watch, or a file to open
       */
      kind: "video" | "file";
      /**
       * Format: uuid
       * @description The block's id; quizzes are answered and assignments submitted to under it
       */
      id: string;
      /** @description What stands above the block; null for nothing */
      title: string | null;
      /** @description What is shown; null where the media record was removed */
      media: components["schemas"]["ShownMedia"] | null;
    } | {
      /**
       * @description A quiz to answer
       */
      kind: "quiz";
      /**
       * Format: uuid
       * @description The block's id; quizzes are answered and assignments submitted to under it
       */
      id: string;
      /** @description What stands above the block; null for nothing */
      title: string | null;
      /** @description How many percent of the questions have to be answered correctly to pass the quiz */
      pass_percent: number;
      /** @description The questions, in the order in which they are asked */
      questions: {
        /**
         * Format: uuid
         * @description What students send as `question_id` to answer it. It stays when the text is changed
         */
        id: string;
        /** @description What is asked */
        text: string;
        /** @description The answers to choose from, in the order in which they are shown; which are correct is not told */
        options: {
          /**
           * Format: uuid
           * @description What students send as `option_id` to choose it. It stays when the text is changed
           */
          id: string;
          /** @description An answer to choose */
          text: string;
        }[];
      }[];
      /** @description The student's latest attempt; null if they made none */
      last_attempt: {
        /**
         * Format: uuid
         * @description The attempt's own id; attempts sort by it as they were made
         */
        id: string;
        /** @description How many percent of the questions were answered correctly, rounded down */
        percent: number;
        /** @description Whether that was enough to pass at that time */
        passed: boolean;
        /**
         * Format: date-time
         * @description When the attempt was made
         */
        created_at: string;
      } | null;
    } | {
      /**
       * @description An assignment to submit to
       */
      kind: "assignment";
      /**
       * Format: uuid
       * @description The block's id; quizzes are answered and assignments submitted to under it
       */
      id: string;
      /** @description What stands above the block; null for nothing */
      title: string | null;
      /** @description What the assignment asks for */
      body: string;
      /** @description The student's latest submission; null if they made none */
      last_submission: components["schemas"]["Submission"] | null;
    };
    /** @description A course that the student has, and how far they are in it */
    ClassroomCourse: {
      /**
       * Format: uuid
       * @description The course's id, which events and the dashboard name it by
       */
      id: string;
      /** @description The course's key in addresses of the classroom */
      public_id: string;
      /** @description What the course is called */
      title: string;
      /** @description How far the student is in it */
      progress: components["schemas"]["CourseProgress"];
    };
    /** @description A live lesson of a course that the student has, with what they did in it */
    ClassroomLesson: {
      /**
       * Format: uuid
       * @description The lesson's id, which events and the dashboard name it by
       */
      id: string;
      /** @description The lesson's key in addresses of the classroom */
      public_id: string;
      /** @description What the lesson is called */
      title: string;
      /** @description The module that the lesson is in */
      module: {
        /**
         * Format: uuid
         * @description The module's id, which the dashboard names it by
         */
        id: string;
        /** @description What the module is called */
        title: string;
      };
      /** @description The course that the lesson is in */
      course: components["schemas"]["ClassroomCourse"];
      /** @description What the lesson is made of, in its order */
      blocks: components["schemas"]["ClassroomBlock"][];
      /** @description Whether the student has completed the lesson, and not undone that */
      completed: boolean;
      /** @description When the lesson was completed, the last time; null while it is not */
      completed_at: string | null;
      /** @description When the lesson was completed for the first time, which undoing does not change; null if it never was */
      first_completed_at: string | null;
      /** @description The live lesson before it in the course, across modules; null for the first one */
      previous_lesson_public_id: string | null;
      /** @description The live lesson after it in the course, across modules; null for the last one */
      next_lesson_public_id: string | null;
    };
    /** @description A live as a student sees it */
    ClassroomLive: {
      /**
       * Format: uuid
       * @description Names the live on all routes, and as an item of deliveries
       */
      id: string;
      /** @description What the live is called */
      title: string;
      /** @description What it is about; may be empty */
      description: string;
      /** @description Where it is shown, an https address; null unless the live is open, or if none was set */
      url: string | null;
      /**
       * Format: date-time
       * @description When it is announced to start. Nothing opens at that time by itself
       */
      starts_at: string;
      /** @description When it is announced to end, later than its start; null if no end is announced. Nothing ends at that time by itself */
      ends_at: string | null;
      /**
       * @description The staff opens a scheduled live and ends an open one. Students join while it is open; an ended one stays so
       */
      status: "scheduled" | "open" | "ended";
      /** @description When the student joined for the first time; null if they did not */
      joined_at: string | null;
    };
    /** @description A course that the student has, with its live lessons in their modules */
    ClassroomOutline: {
      /**
       * Format: uuid
       * @description The course's id, which events and the dashboard name it by
       */
      id: string;
      /** @description The course's key in addresses of the classroom */
      public_id: string;
      /** @description What the course is called */
      title: string;
      /** @description How far the student is in it */
      progress: components["schemas"]["CourseProgress"];
      /** @description The modules that have live lessons, in their order */
      modules: {
        /**
         * Format: uuid
         * @description The module's id, which the dashboard names it by
         */
        id: string;
        /** @description What the module is called */
        title: string;
        /** @description Its live lessons, in their order */
        lessons: {
          /**
           * Format: uuid
           * @description The lesson's id, which events and the dashboard name it by
           */
          id: string;
          /** @description The lesson's key in addresses of the classroom */
          public_id: string;
          /** @description What the lesson is called */
          title: string;
          /** @description Whether the student has completed it, and not undone that */
          completed: boolean;
        }[];
      }[];
    };
    /** @description A conversation of a student with the staff, as the student sees it */
    ClassroomSupportConversation: {
      /**
       * Format: uuid
       * @description Names the conversation on routes
       */
      id: string;
      /** @description What the student asked about; empty once the student was removed */
      subject: string;
      /**
       * @description `open` waits for the staff, `pending` for the student, `closed` for nobody. What a student writes opens it again
       */
      status: "open" | "pending" | "closed";
      /**
       * Format: date-time
       * @description When the student opened it
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the last message was written
       */
      last_message_at: string;
      /** @description The first 200 characters of the last message; empty once the student was removed */
      last_message_preview: string;
      /** @description How many messages it has, of both sides */
      messages_count: number;
      /** @description How many messages of the other side whoever asks has not read */
      unread_count: number;
      /** @description The `number` of the last message that whoever asks has read, or did not have to read; 0 for none */
      read_number: number;
    };
    /** @description A club as its members see it */
    Club: {
      /**
       * Format: uuid
       * @description The club's public id: what stands for `clubId` in paths
       */
      organization_id: string;
      /** @description What people call the club */
      name: string;
      /** @description A short name for addresses that no other club has */
      slug: string;
      /** @description Where the club's day starts and ends, as an IANA name: limits and rankings that count days count them there */
      time_zone: string;
      /**
       * @description The language of the club's mails, and of what it starts with
       */
      locale: "pt-BR" | "en";
      /** @description Whether anyone may sign up as a student. A closed club asks for the code of a registration link */
      sign_up_open: boolean;
      /**
       * Format: date-time
       * @description When it was founded
       */
      created_at: string;
    };
    /** @description A key with which a club's own servers, terminals and agents come in. Its token is shown once */
    ClubKey: {
      /**
       * Format: uuid
       * @description Names the key where it is changed or revoked
       */
      id: string;
      /** @description What the key is for, as its club calls it */
      name: string;
      /** @description The 8 characters after `turma_` in its token: they tell which key a token belongs to */
      prefix: string;
      /**
       * @description `active` works; `expired` and `revoked` have ended for good; `unowned` does not work until an administrator takes it over, because whoever it acted for is no member any more
       */
      status: "active" | "expired" | "revoked" | "unowned";
      /** @description The role that the key acts in: `admin` does everything that a key may, `editor` content and community, `support` students and conversations, `viewer` only reads. Null where its scopes alone say it */
      role: ("admin" | "editor" | "support" | "viewer") | null;
      /** @description Areas of the API, each with `:read`, which reads, or `:write`, which reads and writes. Null where its role alone says it */
      scopes: components["schemas"]["KeyScope"][] | null;
      /** @description The networks in CIDR notation that it may be used from; none where it may be used from everywhere */
      allowed_networks: string[];
      /** @description Whose right it shares: it may never more than this member may today. Null once they are no member */
      holder: components["schemas"]["KeyHolder"] | null;
      /**
       * Format: date-time
       * @description When it was made
       */
      created_at: string;
      /** @description When it ends by itself; null if it does not */
      expires_at: string | null;
      /** @description When it was revoked; null if it was not */
      revoked_at: string | null;
      /** @description Until when the token before the last rotation works as well; null if none does */
      previous_token_ends_at: string | null;
      /** @description When it was last used, to ten minutes; null if it never was */
      last_used_at: string | null;
      /** @description The address from which it was used then; null if it is not known */
      last_used_address: string | null;
    };
    /** @description A key of a club with its token */
    ClubKeyWithToken: {
      /**
       * Format: uuid
       * @description Names the key where it is changed or revoked
       */
      id: string;
      /** @description What the key is for, as its club calls it */
      name: string;
      /** @description The 8 characters after `turma_` in its token: they tell which key a token belongs to */
      prefix: string;
      /**
       * @description `active` works; `expired` and `revoked` have ended for good; `unowned` does not work until an administrator takes it over, because whoever it acted for is no member any more
       */
      status: "active" | "expired" | "revoked" | "unowned";
      /** @description The role that the key acts in: `admin` does everything that a key may, `editor` content and community, `support` students and conversations, `viewer` only reads. Null where its scopes alone say it */
      role: ("admin" | "editor" | "support" | "viewer") | null;
      /** @description Areas of the API, each with `:read`, which reads, or `:write`, which reads and writes. Null where its role alone says it */
      scopes: components["schemas"]["KeyScope"][] | null;
      /** @description The networks in CIDR notation that it may be used from; none where it may be used from everywhere */
      allowed_networks: string[];
      /** @description Whose right it shares: it may never more than this member may today. Null once they are no member */
      holder: components["schemas"]["KeyHolder"] | null;
      /**
       * Format: date-time
       * @description When it was made
       */
      created_at: string;
      /** @description When it ends by itself; null if it does not */
      expires_at: string | null;
      /** @description When it was revoked; null if it was not */
      revoked_at: string | null;
      /** @description Until when the token before the last rotation works as well; null if none does */
      previous_token_ends_at: string | null;
      /** @description When it was last used, to ten minutes; null if it never was */
      last_used_at: string | null;
      /** @description The address from which it was used then; null if it is not known */
      last_used_address: string | null;
      /** @description What to send as `Authorization: Bearer <token>`. It is never shown again */
      token: string;
    };
    /** @description Students of a delivery who begin and end together */
    Cohort: {
      /**
       * Format: uuid
       * @description Names the cohort
       */
      id: string;
      /**
       * Format: uuid
       * @description The delivery whose students it groups
       */
      delivery_id: string;
      /** @description What members call it */
      name: string;
      /** @description When access in it begins at the earliest; null: with the grant */
      starts_at: string | null;
      /** @description When access in it ends, unless the grant or the delivery says otherwise; later than `starts_at`; null: it does not */
      ends_at: string | null;
      /**
       * Format: date-time
       * @description When it was made
       */
      created_at: string;
    };
    /** @description A comment on a lesson or a post, or a reply to one */
    Comment: {
      /**
       * Format: uuid
       * @description Names the comment on routes; comments sort by it as they were written
       */
      id: string;
      /** @description The words; empty of a deleted comment, and for students of a hidden one */
      body: string;
      /** @description Who wrote it */
      author: components["schemas"]["Author"];
      /** @description The emojis that it was given, the most frequent first; none of a deleted comment */
      reactions: components["schemas"]["ReactionCount"][];
      /** @description How many replies whoever asks is shown; 0 of a reply */
      replies_count: number;
      /**
       * Format: date-time
       * @description When it was written
       */
      created_at: string;
      /** @description Whether no student is shown its words */
      hidden: boolean;
      /** @description Whether the staff pinned it, as a mark; lists keep their order */
      pinned: boolean;
      /** @description Whether it was deleted, and stays without words as long as replies to it are seen */
      deleted: boolean;
      /** @description Whether whoever asks wrote it */
      mine: boolean;
      /** @description Whether the staff or the assistant replied to it, or the staff says that it is answered */
      answered: boolean;
      /** @description Whether it waits for the staff, and only its author and the staff see it: with more than 3 links, or after 3 reports */
      pending: boolean;
      /** @description Whether the staff says that it is spam, which only its author and the staff see */
      spam: boolean;
      /** @description Whether the student who asks saved it; false for the staff */
      saved: boolean;
      /** @description The first comment of the thread that it is a reply in; null of a first comment */
      parent_id: string | null;
      /** @description Whom it names, in the author's order; removed students are left out */
      mentions: components["schemas"]["Mention"][];
      /** @description The images that came with it, in the author's order; removed ones are left out */
      images: components["schemas"]["ShownMedia"][];
      /** @description When its author last changed the words; null if they did not */
      edited_at: string | null;
      /** @description The first 3 replies that whoever asks is shown, the oldest first; the others are a list of their own */
      replies: components["schemas"]["Comment"][];
    };
    /** @description The one community of a club */
    Community: {
      /**
       * Format: uuid
       * @description Names the community as an item of deliveries
       */
      id: string;
      /** @description What the community is called */
      name: string;
      /** @description What students read about the community; may be empty */
      description: string;
      /** @description All spaces that are not archived, in their order, and after them, for the staff, at most 100 archived ones, those archived last first */
      spaces: components["schemas"]["Space"][];
      /**
       * Format: date-time
       * @description When the community was created, with the club
       */
      created_at: string;
      /** @description When it was published; a time in the future publishes it too, it is no schedule. Null: students see nothing of it */
      published_at: string | null;
    };
    /** @description What is contracted */
    ContractAddon: {
      /** @description The key of one of the `available_addons`; see `unavailable_reason` for whether the plan allows it */
      key: string;
    };
    /** @description A course as members see it. Students with a delivery that contains it see its live lessons */
    Course: {
      /**
       * Format: uuid
       * @description Names the course on the dashboard's routes and as an item of deliveries
       */
      id: string;
      /** @description The course's key in addresses of the classroom, unique among the club's courses */
      public_id: string;
      /** @description What the course is called, for members and students */
      title: string;
      /** @description Orders the courses of the club, the lowest first; there may be gaps */
      position: number;
      /** @description How many of its lessons are live now, for students who have the course */
      live_lessons: number;
      /**
       * Format: date-time
       * @description When the course was created
       */
      created_at: string;
    };
    /** @description A course with its modules and their lessons */
    CourseOutline: {
      /**
       * Format: uuid
       * @description Names the course on the dashboard's routes and as an item of deliveries
       */
      id: string;
      /** @description The course's key in addresses of the classroom, unique among the club's courses */
      public_id: string;
      /** @description What the course is called, for members and students */
      title: string;
      /** @description Orders the courses of the club, the lowest first; there may be gaps */
      position: number;
      /** @description How many of its lessons are live now, for students who have the course */
      live_lessons: number;
      /**
       * Format: date-time
       * @description When the course was created
       */
      created_at: string;
      /** @description Its modules in their order, at most 200 */
      modules: components["schemas"]["OutlinedModule"][];
    };
    /** @description How far a student is in a course; its lessons are those that are live now */
    CourseProgress: {
      /** @description How many lessons the course has that are live now */
      lessons_count: number;
      /** @description How many of them the student has completed */
      completed_count: number;
      /** @description The part that is completed, from 0 to 100, rounded down: 100 means that no lesson is left */
      percent: number;
      /** @description The first live lesson that is not completed, in the order of the course; null where none is left */
      next_lesson_public_id: string | null;
      /** @description When the course was finished for the first time; null before that. Later lessons, and completions that are undone, do not change it */
      completed_at: string | null;
    };
    /** @description What a student gets access to, as members see it */
    Delivery: {
      /**
       * Format: uuid
       * @description Names the delivery
       */
      id: string;
      /** @description What members and students call it */
      name: string;
      /** @description Whether every student of the club gets it, those to come too */
      free: boolean;
      /** @description How many days of 24 hours an access lasts from its start, 1 to 36,500, where the grant does not say; null: until its cohort ends, or for good */
      default_access_days: number | null;
      /** @description What students with access see, in the order in which it was sent */
      items: {
        /**
         * @description What it is; `community` is the club's one community
         */
        kind: "course" | "repository" | "community" | "live";
        /**
         * Format: uuid
         * @description The `id` of the course, the repository, the community or the live
         */
        id: string;
      }[];
      /** @description Whether it is out of use: it cannot be granted any more, and who has it keeps it */
      archived: boolean;
      /**
       * Format: date-time
       * @description When it was made
       */
      created_at: string;
    };
    /** @description A key of a club with its token, for the terminal that waited */
    DeviceKey: {
      /**
       * Format: uuid
       * @description Names the key where it is changed or revoked
       */
      id: string;
      /** @description What the key is for, as its club calls it */
      name: string;
      /** @description The 8 characters after `turma_` in its token: they tell which key a token belongs to */
      prefix: string;
      /**
       * @description `active` works; `expired` and `revoked` have ended for good; `unowned` does not work until an administrator takes it over, because whoever it acted for is no member any more
       */
      status: "active" | "expired" | "revoked" | "unowned";
      /** @description The role that the key acts in: `admin` does everything that a key may, `editor` content and community, `support` students and conversations, `viewer` only reads. Null where its scopes alone say it */
      role: ("admin" | "editor" | "support" | "viewer") | null;
      /** @description Areas of the API, each with `:read`, which reads, or `:write`, which reads and writes. Null where its role alone says it */
      scopes: components["schemas"]["KeyScope"][] | null;
      /** @description The networks in CIDR notation that it may be used from; none where it may be used from everywhere */
      allowed_networks: string[];
      /** @description Whose right it shares: it may never more than this member may today. Null once they are no member */
      holder: components["schemas"]["KeyHolder"] | null;
      /**
       * Format: date-time
       * @description When it was made
       */
      created_at: string;
      /** @description When it ends by itself; null if it does not */
      expires_at: string | null;
      /** @description When it was revoked; null if it was not */
      revoked_at: string | null;
      /** @description Until when the token before the last rotation works as well; null if none does */
      previous_token_ends_at: string | null;
      /** @description When it was last used, to ten minutes; null if it never was */
      last_used_at: string | null;
      /** @description The address from which it was used then; null if it is not known */
      last_used_address: string | null;
      /** @description What to send as `Authorization: Bearer <token>`. It is never shown again */
      token: string;
      /**
       * Format: uuid
       * @description The public id of the key's club: stands for `clubId` in paths
       */
      organization_id: string;
      /** @description The club's name */
      club_name: string;
    };
    /** @description A terminal that waits for an administrator to let it in */
    DeviceLogin: {
      /** @description What the terminal keeps for itself and gets its key with, once */
      device_code: string;
      /** @description What the terminal shows, to be entered by an administrator */
      user_code: string;
      /**
       * Format: uri
       * @description The page where an administrator enters it
       */
      verification_url: string;
      /**
       * Format: uri
       * @description The same page with the code filled in
       */
      verification_url_complete: string;
      /**
       * Format: date-time
       * @description Until when it works: 10 minutes
       */
      expires_at: string;
      /** @description How many seconds the terminal waits at least before it asks again */
      interval_seconds: number;
    };
    /** @description The access of one student to one delivery */
    Enrollment: {
      /**
       * Format: uuid
       * @description Names the access
       */
      id: string;
      /**
       * Format: uuid
       * @description What the student has access to
       */
      delivery_id: string;
      /** @description The name of the delivery, as it is at present */
      delivery_name: string;
      /**
       * @description What it came from
       */
      source: "purchase" | "subscription" | "grant" | "invitation" | "import" | "registration_link" | "free";
      /** @description Whether it lets the student in now: it has begun, and is neither over nor revoked */
      active: boolean;
      /**
       * Format: date-time
       * @description When it begins, which may be in the future
       */
      starts_at: string;
      /**
       * Format: date-time
       * @description When it was made
       */
      created_at: string;
      /** @description When it ends; null: never */
      expires_at: string | null;
      /** @description When it was taken away; null where it was not */
      revoked_at: string | null;
      /** @description Why it was taken away; null where it was not */
      revoke_reason: ("refund" | "chargeback" | "subscription_canceled" | "manual" | "student_removed") | null;
      /** @description The cohort that it is in; null: none */
      cohort_id: string | null;
      /** @description The name of the cohort, as it is at present; null without one */
      cohort_name: string | null;
    };
    /**
     * Format: uuid
     * @description The club that it happened in: its `organization_id`
     */
    EventClubId: string;
    /** @description A course as events name it */
    EventCourse: {
      /**
       * Format: uuid
       * @description Names the course
       */
      id: string;
      /** @description The title that students see */
      title: string;
    };
    /** @description The access of a student to a delivery, as events tell of it */
    EventEnrollment: {
      /**
       * Format: uuid
       * @description Names the access. It stays the same when the access is extended, moved, revoked or restored
       */
      id: string;
      /**
       * Format: uuid
       * @description The delivery that the access is to
       */
      delivery_id: string;
      /** @description What the club calls the delivery */
      delivery_name: string;
      /** @description The cohort of the delivery that the student is in; null: in none */
      cohort_id: string | null;
      /** @description The name of the cohort; null where the student is in none */
      cohort_name: string | null;
      /**
       * @description How the student came by the access
       */
      source: "purchase" | "subscription" | "grant" | "invitation" | "import" | "registration_link" | "free";
      /**
       * @description Whether the access counts when the body is assembled: scheduled begins later, expired is past its end
       */
      status: "active" | "scheduled" | "expired" | "revoked";
      /**
       * Format: date-time
       * @description When the access begins or began
       */
      starts_at: string;
      /** @description When the access ends or ended; null: it has no end */
      expires_at: string | null;
      /**
       * Format: date-time
       * @description When the access was given
       */
      created_at: string;
      /** @description When the access was taken away; null while it is not */
      revoked_at: string | null;
      /** @description Why the access was taken away; null while it is not */
      revoke_reason: ("refund" | "chargeback" | "subscription_canceled" | "manual" | "student_removed") | null;
    };
    /**
     * Format: uuid
     * @description Names the event: the same in every attempt and at every endpoint, and in the header `webhook-id`
     */
    EventId: string;
    /**
     * Format: date-time
     * @description When it happened. Events may arrive in any order: of two about the same thing, the later one counts
     */
    EventOccurredAt: string;
    /** @description What was sold, as the sales platform calls it */
    EventProduct: {
      /** @description The platform's id of the product */
      external_id: string;
      /** @description The product's name on the platform; null where the platform did not tell it */
      name: string | null;
    };
    /** @description A purchase as events tell of it */
    EventPurchase: {
      /**
       * Format: uuid
       * @description Names the purchase. Each charge of a subscription is one of its own
       */
      id: string;
      /** @description The key of the sales platform, one of `GET …/sales-platforms` */
      platform: string;
      /** @description The platform's id of the charge */
      external_id: string;
      /**
       * @description What is known of the charge by now. Of a refund and a chargeback, it is the chargeback
       */
      status: "paid" | "refunded" | "chargeback";
      /** @description What was sold; of several products the main one */
      product: components["schemas"]["EventProduct"];
      /** @description The platform's id of the offer; null where it has none */
      offer_external_id: string | null;
      /** @description What was charged, in the currency's minor unit: 14950 in BRL is R$ 149.50; null: not told */
      amount_cents: number | null;
      /** @description The currency's ISO 4217 code; null where the platform did not tell it */
      currency: string | null;
      /** @description How it was paid, in the platform's own word; null where the platform did not tell it */
      payment_method: string | null;
      /** @description Which charge of its subscription it is, the first being 1; null: of none, or not told */
      recurrence: number | null;
      /** @description The subscription that it is a charge of; null: of none */
      subscription_id: string | null;
      /** @description When it was paid, as the platform says; null while no payment is known */
      paid_at: string | null;
      /** @description When it was refunded or charged back, as `status` says; null while it is paid */
      refunded_at: string | null;
    };
    /** @description A student as events tell of them, without the tax document */
    EventStudent: {
      /**
       * Format: uuid
       * @description Names the student in this club. The same person in another club has another id
       */
      id: string;
      /** @description The student's name, as it is when the body is assembled */
      name: string;
      /**
       * Format: email
       * @description The address that the student signs in with, in lower case. It may be unconfirmed
       */
      email: string;
      /** @description Whether the student has confirmed the e-mail address */
      verified: boolean;
      /**
       * Format: date-time
       * @description When the student's account was made
       */
      created_at: string;
    };
    /** @description A subscription as events tell of it */
    EventSubscription: {
      /**
       * Format: uuid
       * @description Names the subscription
       */
      id: string;
      /** @description The key of the sales platform, one of `GET …/sales-platforms` */
      platform: string;
      /** @description The platform's id of the subscription */
      external_id: string;
      /**
       * @description What is known of the subscription by now: past_due while a charge is late
       */
      status: "active" | "past_due" | "canceled";
      /** @description The name of the plan on the platform; null where it did not tell it */
      plan_name: string | null;
      /** @description What was sold; of several products the main one */
      product: components["schemas"]["EventProduct"];
      /** @description Until when the period that was paid lasts, and access with it; null where it is not known */
      current_period_end: string | null;
      /** @description When the charge that is late became so; null while none is */
      past_due_since: string | null;
      /** @description When the subscription was canceled; null while it is not */
      canceled_at: string | null;
    };
    /**
     * @description What kind of fact an event tells
     */
    EventType: "student.created" | "student.updated" | "student.removed" | "access.granted" | "access.revoked" | "access.extended" | "access.shortened" | "access.restored" | "access.moved" | "purchase.paid" | "purchase.refunded" | "subscription.past_due" | "subscription.canceled" | "lesson.completed" | "course.completed" | "webhook.test";
    /** @description An event of the feed. Kept for 90 days, its payload for 30 */
    FeedEvent: {
      /** @description Which event of the club it is: each has the number after the one before it, and none is left out */
      number: number;
      /** @description Its place: sent as `after`, the feed goes on behind it */
      cursor: string;
      /**
       * Format: date-time
       * @description When it happened
       */
      occurred_at: string;
      /**
       * Format: uuid
       * @description Names the event: `webhook-id` of every attempt and `id` in the body
       */
      id: string;
      /** @description Which kind of fact it tells */
      type: components["schemas"]["EventType"];
      /** @description The student that the event is about; null: about none */
      student_id: string | null;
      /**
       * Format: date-time
       * @description When its body was assembled, some seconds after it happened
       */
      created_at: string;
      /** @description Whether the body exists no more: it is erased with its student, and else after 30 days */
      payload_purged: boolean;
      /** @description Its deliveries to every endpoint that wanted it, deleted ones too, oldest first */
      deliveries: components["schemas"]["WebhookDelivery"][];
      /**
       * @description The body as it is sent, with its envelope; null once it exists no more
       * @example {
       *       "id": "019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c",
       *       "type": "student.created",
       *       "occurred_at": "2026-04-01T09:30:00.000Z",
       *       "club_id": "6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10",
       *       "data": {
       *         "student": {
       *           "id": "01993f2a-7c00-7a10-8c4e-5b1d2f3a4c5d",
       *           "name": "Noel Rosa",
       *           "email": "noel@example.com",
       *           "verified": true,
       *           "created_at": "2026-03-02T13:05:41.120Z"
       *         },
       *         "origin": "sign_up"
       *       }
       *     }
       */
      payload: unknown;
    };
    /** @description An event of a stream of the feed */
    FeedStreamEvent: {
      /** @description The cursor. Sent as `Last-Event-ID`, the stream goes on behind it */
      id?: string;
      /**
       * @description An event of the club
       */
      event: "event";
      data: components["schemas"]["FeedEvent"];
    } | {
      /** @description The cursor. Sent as `Last-Event-ID`, the stream goes on behind it */
      id?: string;
      /**
       * @description All that there is was told; more follows when there is more
       */
      event: "caught_up";
      data: {
        /** @description How far was told */
        cursor: string;
      };
    };
    /** @description An address to download a file from */
    FileDownload: {
      /**
       * Format: uri
       * @description Where the file is; a browser saves it. Whoever has the address can use it
       */
      url: string;
      /** @description When the address ends, an hour after this answer; null for one that does not end */
      expires_at: string | null;
    };
    /** @description What a club pays points for, and the ladder that they climb */
    Gamification: {
      /** @description Whether actions pay points. While it is off nothing is earned, nor paid later, and students see no ranking */
      enabled: boolean;
      /** @description Whether students see the ranking; points and levels go on without it, and the staff sees it always */
      ranking_visible: boolean;
      /** @description The seven rules, always all of them, in this order */
      rules: components["schemas"]["Rule"][];
      /** @description The ladder, from the lowest to the highest `min_points`; the first level always has 0 */
      levels: [
        components["schemas"]["Level"]
      ];
    };
    /** @description A session that has just begun, with its token */
    Grant: {
      /** @description The session's token, for the header `Authorization: Bearer …`. It is shown here alone, and has nothing to read in it */
      access_token: string;
      /**
       * @description How the token is sent
       */
      token_type: "Bearer";
      /**
       * Format: date-time
       * @description When the session ends unless it is used before. Each use moves it on, up to the end that a session has in any case
       */
      expires_at: string;
      /** @description The session that began */
      session: components["schemas"]["Session"];
    };
    /** @description A request of a sales platform that was taken in, and what came of it */
    InboundEvent: {
      /**
       * Format: uuid
       * @description Names the event. Later ones have greater ids
       */
      id: string;
      /**
       * Format: uuid
       * @description The address at which it came in; it may be deleted by now
       */
      inbound_webhook_id: string;
      /**
       * @description The sales platform that sent it
       */
      platform: "hotmart" | "kiwify" | "stripe" | "hubla" | "eduzz" | "generic";
      /** @description The platform's own name of the event; `unknown` where it has none */
      event_name: string;
      /** @description The platform's own id of the event; null where it has none */
      external_event_id: string | null;
      /** @description The first product that it is about; null where it names none */
      product: {
        /** @description The platform's id of the product */
        external_id: string;
        /** @description The product's name on the platform; null where the platform did not tell it */
        name: string | null;
      } | null;
      /** @description What came of it. `unmapped`: no product mapping applies, or its purchase is not known yet. Null while it waits */
      outcome: ("processed" | "ignored" | "duplicate" | "unmapped" | "failed") | null;
      /** @description What is wrong, in English, never with a value of the body; null where nothing is */
      detail: string | null;
      /** @description The student whom it is about; null where none is known */
      student_id: string | null;
      /**
       * Format: date-time
       * @description When it came in
       */
      received_at: string;
      /** @description When its processing ended; null while it waits */
      finished_at: string | null;
      /** @description How often processing has failed and was tried again, 20 times at most */
      failures: number;
      /** @description Whether its body is still kept, which is for 30 days at most, so that it can be processed again */
      raw_available: boolean;
    };
    /** @description What a sales platform sent, with its body */
    InboundEventDetail: {
      /**
       * Format: uuid
       * @description Names the event. Later ones have greater ids
       */
      id: string;
      /**
       * Format: uuid
       * @description The address at which it came in; it may be deleted by now
       */
      inbound_webhook_id: string;
      /**
       * @description The sales platform that sent it
       */
      platform: "hotmart" | "kiwify" | "stripe" | "hubla" | "eduzz" | "generic";
      /** @description The platform's own name of the event; `unknown` where it has none */
      event_name: string;
      /** @description The platform's own id of the event; null where it has none */
      external_event_id: string | null;
      /** @description The first product that it is about; null where it names none */
      product: {
        /** @description The platform's id of the product */
        external_id: string;
        /** @description The product's name on the platform; null where the platform did not tell it */
        name: string | null;
      } | null;
      /** @description What came of it. `unmapped`: no product mapping applies, or its purchase is not known yet. Null while it waits */
      outcome: ("processed" | "ignored" | "duplicate" | "unmapped" | "failed") | null;
      /** @description What is wrong, in English, never with a value of the body; null where nothing is */
      detail: string | null;
      /** @description The student whom it is about; null where none is known */
      student_id: string | null;
      /**
       * Format: date-time
       * @description When it came in
       */
      received_at: string;
      /** @description When its processing ended; null while it waits */
      finished_at: string | null;
      /** @description How often processing has failed and was tried again, 20 times at most */
      failures: number;
      /** @description Whether its body is still kept, which is for 30 days at most, so that it can be processed again */
      raw_available: boolean;
      /**
       * @description The JSON that came, without the platform's secret, and for keys with tax documents masked. Null once it is deleted, and where it has more than 20,000 marks, 100 levels, or a number too large to write
       * @example {
       *       "event": "PURCHASE_APPROVED",
       *       "data": {
       *         "product": {
       *           "id": 788921,
       *           "name": "Flauta do zero"
       *         }
       *       }
       *     }
       */
      body: unknown;
    };
    /** @description An address of the club that a sales platform writes to */
    InboundWebhook: {
      /**
       * Format: uuid
       * @description Names the address. Later ones have greater ids
       */
      id: string;
      /**
       * @description The sales platform that writes to it
       */
      platform: "hotmart" | "kiwify" | "stripe" | "hubla" | "eduzz" | "generic";
      /** @description What administrators call it */
      name: string;
      /**
       * Format: uri
       * @description What is entered on the platform. It holds a token, so show it to nobody else
       */
      url: string;
      /** @description Whether the platform's secret is set. It is never shown; without one, nothing is accepted unless `token_only` */
      secret_set: boolean;
      /** @description Whether what comes is accepted unverified while no secret is set: whoever knows the URL could then write sales */
      token_only: boolean;
      /** @description Whether it takes anything; the platform hears 404 while it does not */
      enabled: boolean;
      /** @description Until when the URL that was replaced last works too; null if none does */
      previous_token_expires_at: string | null;
      /** @description When something came in last; null: never */
      last_event_at: string | null;
      /**
       * Format: date-time
       * @description When it was made
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When it was changed last
       */
      updated_at: string;
    };
    /** @description An invitation that nobody has accepted yet */
    Invitation: {
      /**
       * Format: uuid
       * @description Names the invitation where it is withdrawn; it does not accept it
       */
      id: string;
      /**
       * Format: email
       * @description The address that the invitation is mailed to
       */
      email: string;
      /**
       * @description What they may do in the club: `owner` and `admin` everything, `editor` content and community, `support` students and conversations, `viewer` only read
       */
      role: "owner" | "admin" | "editor" | "support" | "viewer";
      /**
       * Format: date-time
       * @description When it was mailed
       */
      created_at: string;
      /**
       * Format: date-time
       * @description Until when its link works: 7 days after it was mailed
       */
      expires_at: string;
    };
    /** @description What a club was charged for a period */
    Invoice: {
      /**
       * Format: uuid
       * @description Names the invoice. Later ones have greater ids
       */
      id: string;
      /** @description The invoice's number among the club's, the first being 1 */
      number: number;
      /**
       * @description Whether it is to be paid, is paid, or is withdrawn and not to be paid
       */
      status: "issued" | "paid" | "void";
      /** @description The ISO 4217 code of the currency of all amounts */
      currency: string;
      /**
       * Format: date-time
       * @description The beginning of the period that is invoiced
       */
      period_start: string;
      /**
       * Format: date-time
       * @description When that period is over
       */
      period_end: string;
      /** @description What is charged and given back: charges first, then credit */
      lines: components["schemas"]["InvoiceLine"][];
      /** @description What the lines add up to, in cents, never below zero */
      total_cents: number;
      /**
       * Format: date-time
       * @description When it was issued
       */
      issued_at: string;
    };
    /** @description One line of an invoice */
    InvoiceLine: {
      /**
       * @description What the line is for: `credit` is what is given back, `carried` credit that the next invoice goes on with
       */
      kind: "plan" | "addon" | "overage" | "credit" | "carried";
      /** @description The key of the plan, add-on or resource */
      key: string;
      /** @description What the line is called on the invoice */
      name: string;
      /** @description The amount in cents of the invoice's currency. Credit is zero or below, everything else zero or above */
      amount_cents: number;
      /**
       * Format: date-time
       * @description The beginning of the time that the line is for
       */
      starts_at: string;
      /**
       * Format: date-time
       * @description The end of that time
       */
      ends_at: string;
    };
    /** @description What joining a live did */
    JoinedLive: {
      /** @description The live, with the address at which it is shown */
      live: components["schemas"]["ClassroomLive"];
      /**
       * Format: date-time
       * @description When the student joined for the first time
       */
      joined_at: string;
      /** @description The points that this request earned; 0 for any but the first, or if `live_attended` pays nothing */
      points_awarded: number;
    };
    /** @description The member of the club whose right a key shares */
    KeyHolder: {
      /**
       * Format: uuid
       * @description The account's id
       */
      id: string;
      /** @description The person's name */
      name: string;
    };
    /**
     * @description An area of the API that a key may read, or read and write
     */
    KeyScope: "agents:read" | "agents:write" | "audit:read" | "audit:write" | "billing:read" | "billing:write" | "catalog:read" | "catalog:write" | "clubs:read" | "clubs:write" | "community:read" | "community:write" | "content:read" | "content:write" | "gamification:read" | "gamification:write" | "lives:read" | "lives:write" | "media:read" | "media:write" | "mentorships:read" | "mentorships:write" | "repositories:read" | "repositories:write" | "sales:read" | "sales:write" | "students:read" | "students:write" | "support:read" | "support:write" | "webhooks:read" | "webhooks:write";
    /** @description A lesson as members see it, without its blocks */
    Lesson: {
      /**
       * Format: uuid
       * @description Names the lesson on the dashboard's routes
       */
      id: string;
      /**
       * Format: uuid
       * @description The course that it is in; this never changes
       */
      course_id: string;
      /**
       * Format: uuid
       * @description The module of the course that it is in
       */
      module_id: string;
      /** @description The lesson's key in addresses of the classroom, unique among the club's lessons */
      public_id: string;
      /** @description What the lesson is called, for members and students */
      title: string;
      /** @description Orders the lessons of the module, the lowest first; there may be gaps */
      position: number;
      /** @description From when on students see the lesson; a future time is a schedule. Null: it is a draft, which they never see */
      published_at: string | null;
      /**
       * Format: date-time
       * @description When the lesson was added
       */
      created_at: string;
    };
    /** @description What completing a lesson did */
    LessonCompletion: {
      /** @description The lesson that is completed */
      lesson: {
        /**
         * Format: uuid
         * @description The lesson's id, which events and the dashboard name it by
         */
        id: string;
        /** @description The lesson's key in addresses of the classroom */
        public_id: string;
        /** @description What the lesson is called */
        title: string;
      };
      /** @description Whether the student has completed the lesson, and not undone that */
      completed: boolean;
      /** @description When the lesson was completed, the last time; null while it is not */
      completed_at: string | null;
      /** @description When the lesson was completed for the first time, which undoing does not change; null if it never was */
      first_completed_at: string | null;
      /** @description The course as it stands with it */
      course: components["schemas"]["ClassroomCourse"];
      /** @description The points that this request earned, for the lesson and for the course; 0 if both were paid before or pay nothing */
      points_awarded: number;
    };
    /** @description A level of a club's ladder */
    Level: {
      /**
       * Format: uuid
       * @description Stays while the level exists, whatever it is called
       */
      id: string;
      /** @description What students see of the level */
      name: string;
      /** @description From how many points on a student has this level; no two levels of a ladder have the same */
      min_points: number;
    };
    /** @description A level of the ladder that replaces the one before */
    LevelInput: {
      /**
       * Format: uuid
       * @description That of a level of the ladder, to keep it; absent for a new one
       */
      id?: string;
      /** @description What students see of the level */
      name: string;
      /** @description From how many points on a student has this level; no two levels of a ladder have the same */
      min_points: number;
    };
    /** @description How students are spread over the levels of a ladder */
    LevelSpread: {
      /** @description How many students the club has, without those who were removed */
      students: number;
      /** @description How many students have how many points, in at most 40 steps of the same width, 1, 2 or 5 and zeros */
      histogram: {
        /** @description From how many points on; the first counts fewer than 0 too */
        from: number;
        /** @description The number of points before which it ends; null for the last one */
        to: number | null;
        /** @description How many students have so many points */
        students: number;
      }[];
      /** @description The ladder as it is, from the lowest level */
      levels: {
        /** @description From how many points on a student has the level */
        min_points: number;
        /** @description How many students have this level */
        students_now: number;
      }[];
      /** @description The ladder that was asked about, from the lowest level; null where none was */
      proposed: {
        /** @description From how many points on a student would have the level */
        min_points: number;
        /** @description How many students would have this level */
        students: number;
      }[] | null;
      /** @description How many students would have a higher level, counted from the lowest; null without a proposal */
      moved_up: number | null;
      /** @description How many students would have a lower level, counted from the lowest; null without a proposal */
      moved_down: number | null;
    };
    /** @description A live as members see it */
    Live: {
      /**
       * Format: uuid
       * @description Names the live on all routes, and as an item of deliveries
       */
      id: string;
      /** @description What the live is called */
      title: string;
      /** @description What it is about; may be empty */
      description: string;
      /** @description Where it is shown, an https address; null if none was set */
      url: string | null;
      /**
       * Format: date-time
       * @description When it is announced to start. Nothing opens at that time by itself
       */
      starts_at: string;
      /** @description When it is announced to end, later than its start; null if no end is announced. Nothing ends at that time by itself */
      ends_at: string | null;
      /**
       * @description The staff opens a scheduled live and ends an open one. Students join while it is open; an ended one stays so
       */
      status: "scheduled" | "open" | "ended";
      /** @description When the staff let students in; null before that */
      opened_at: string | null;
      /** @description When the staff ended it; null before that */
      ended_at: string | null;
      /**
       * Format: date-time
       * @description When the live was announced
       */
      created_at: string;
    };
    /** @description A student who joined a live */
    LiveAttendance: {
      /** @description Who came */
      student: {
        /**
         * Format: uuid
         * @description Names the student on the dashboard's routes
         */
        id: string;
        /** @description What the student is called now */
        name: string;
      };
      /**
       * Format: date-time
       * @description When they joined for the first time
       */
      joined_at: string;
    };
    /** @description A file of a repository as the staff sees it */
    ManagedFile: {
      /**
       * Format: uuid
       * @description Names the file in its repository; the media record behind it has an id of its own
       */
      id: string;
      /** @description What the file is called in this repository */
      title: string;
      /**
       * @description What it is: told from the type of a file; a provider's is always a `video`
       */
      kind: "video" | "image" | "audio" | "document" | "file";
      /** @description The media type that the file was announced with; null with a provider */
      mime: string | null;
      /** @description How large the file is, in bytes; null with a provider */
      size_bytes: number | null;
      /** @description The name that the file was announced with; null with a provider */
      file_name: string | null;
      /**
       * Format: uuid
       * @description The media record of the library that the file is
       */
      media_id: string;
      /** @description Orders the files of the repository, the lowest first; there may be gaps */
      position: number;
      /**
       * Format: date-time
       * @description When the file was added to the repository
       */
      created_at: string;
    };
    /** @description A repository of files as the staff sees it */
    ManagedRepository: {
      /**
       * Format: uuid
       * @description Names the repository on the dashboard's routes and as an item of deliveries
       */
      id: string;
      /** @description The repository's key in addresses of the classroom, unique among the club's repositories */
      public_id: string;
      /** @description What the repository is called */
      title: string;
      /** @description How many files are in it */
      file_count: number;
      /** @description Whose files these are, to be shown beside the title; null for nobody */
      instructor_name: string | null;
      /** @description A picture to be shown beside the title, an https address; null for none */
      cover_url: string | null;
      /** @description From when on students see it; a future time is a schedule. Null: it is a draft, which they never see */
      published_at: string | null;
      /**
       * Format: date-time
       * @description When the repository was created
       */
      created_at: string;
    };
    /** @description The administrator who asks, and their clubs */
    Me: {
      /**
       * Format: uuid
       * @description Names the account, in every club it belongs to
       */
      id: string;
      /** @description The person's name */
      name: string;
      /**
       * Format: email
       * @description The address that the account signs in with
       */
      email: string;
      /** @description Whether a mailed link has proven the address */
      verified: boolean;
      /** @description The clubs that the person belongs to; empty before the first */
      organizations: {
        /**
         * Format: uuid
         * @description The club's public id: what stands for `clubId` in paths
         */
        organization_id: string;
        /** @description What people call the club */
        name: string;
        /**
         * @description What the person may do there: an owner or admin everything, a viewer only read
         */
        role: "owner" | "admin" | "editor" | "support" | "viewer";
        /** @description The club's short name for addresses */
        slug: string;
      }[];
    };
    /** @description A file that was uploaded, or a video that a provider shows */
    Media: {
      /**
       * Format: uuid
       * @description Names the record on routes, and where something attaches or shows it
       */
      id: string;
      /**
       * @description What it is: told from the type of a file; a provider's is always a `video`
       */
      kind: "video" | "image" | "audio" | "document" | "file";
      /** @description What it is called; a file has its name until the staff says otherwise */
      title: string;
      /**
       * @description Where it is: in the platform's `storage`, or with a provider of hosted videos
       */
      provider: "storage" | "youtube" | "vimeo" | "panda" | "bunny" | "mux";
      /**
       * @description `uploading` until the upload is confirmed, then `ready`; `failed` if what came is not what was announced. Only what is ready can be shown
       */
      status: "uploading" | "ready" | "failed";
      /**
       * @description A mark that the staff sets, `private` at first. It opens nothing: files are reached by addresses that end
       */
      visibility: "private" | "public";
      /** @description Whether it is put away: lists leave it out unless asked for, and what shows it goes on showing it */
      archived: boolean;
      /**
       * Format: date-time
       * @description When the upload was begun, or the provider's video added
       */
      created_at: string;
      /** @description The name that the file was announced with; null with a provider */
      file_name: string | null;
      /** @description The media type that the file was announced with; null with a provider */
      mime: string | null;
      /** @description How large the file is, in bytes; null with a provider */
      size_bytes: number | null;
      /** @description The provider's own id of the video; null for a file */
      external_id: string | null;
      /** @description How the file differs from what was announced; null unless the upload has failed */
      error: string | null;
      /** @description How long it plays, in seconds, as the staff says; null if nobody said so */
      duration_seconds: number | null;
      /** @description Of an image, in pixels; null for everything else, and where the file does not tell */
      width: number | null;
      /** @description Of an image, in pixels; null for everything else, and where the file does not tell */
      height: number | null;
      /** @description A preview of it, as the staff says; null if nobody said so */
      preview_url: string | null;
      /** @description A small still picture of it, as the staff says; null if nobody said so */
      thumbnail_url: string | null;
      /** @description The folder of the library that it is in; null if it is in none */
      folder_id: string | null;
    };
    /** @description A folder of the library. Folders hold media and no other folders */
    MediaFolder: {
      /**
       * Format: uuid
       * @description Names the folder on routes, and in `folder_id` of what is put there
       */
      id: string;
      /** @description What the folder is called; two may be called the same */
      name: string;
      /**
       * Format: date-time
       * @description When the folder was created
       */
      created_at: string;
    };
    /** @description How a file is sent: in one request, as its whole body */
    MediaUpload: {
      /**
       * @description The method of the request
       */
      method: "PUT";
      /**
       * Format: uri
       * @description Where it goes. Whoever has the address can send the file; another size or type is refused
       */
      url: string;
      /** @description The headers that the request has to have, besides those that every client sends */
      headers: {
        [key: string]: string;
      };
      /**
       * Format: date-time
       * @description When the address ends, 15 minutes after this answer
       */
      expires_at: string;
    };
    /** @description A part of a file that has not come */
    MediaUploadPart: {
      /** @description Which part, from 1 on */
      number: number;
      /** @description Where in the file it begins, in bytes */
      offset: number;
      /** @description How large it is: the last one is the rest of the file */
      size_bytes: number;
      /**
       * Format: uri
       * @description Where it goes, as the body of one request without headers of its own. No other part or size is taken
       */
      url: string;
    };
    /** @description How a file is sent in parts, and which of them are there */
    MediaUploadParts: {
      /**
       * @description The method of each request
       */
      method: "PUT";
      /** @description How large each part but the last is, in bytes */
      part_size: number;
      /** @description How many parts the file has */
      part_count: number;
      /** @description The parts that are there */
      received: number[];
      /** @description The next of the others, at most 32; empty once all are there */
      missing: components["schemas"]["MediaUploadPart"][];
      /**
       * Format: date-time
       * @description When these addresses end, 15 minutes after this answer
       */
      expires_at: string;
    };
    /** @description Somebody who works for a club */
    Member: {
      /**
       * Format: uuid
       * @description Names the member's account, the same in every club
       */
      id: string;
      /** @description The member's name */
      name: string;
      /**
       * Format: email
       * @description The member's address
       */
      email: string;
      /**
       * @description What they may do in the club: `owner` and `admin` everything, `editor` content and community, `support` students and conversations, `viewer` only read
       */
      role: "owner" | "admin" | "editor" | "support" | "viewer";
      /**
       * Format: date-time
       * @description When they became a member
       */
      created_at: string;
    };
    /** @description Somebody whom a comment names */
    Mention: {
      /**
       * Format: uuid
       * @description The id of the student, or of the member's account
       */
      id: string;
      /** @description What the person is called now */
      name: string;
      /**
       * @description Whether it is a student or a member of the staff
       */
      role: "student" | "staff" | "assistant";
    };
    /** @description A comment with its place and what students told of it */
    ModeratedComment: {
      /** @description What was said, as the list of comments has it */
      comment: components["schemas"]["Comment"];
      /** @description Where it was said */
      place: {
        /** @description The lesson that it is on; null where it is on a post */
        lesson: {
          /**
           * Format: uuid
           * @description Names the lesson on the dashboard's routes
           */
          id: string;
          /** @description What it is called */
          title: string;
        } | null;
        /** @description The post that it is on; null where it is on a lesson, and once the post was deleted */
        post: {
          /**
           * Format: uuid
           * @description Names the post on routes
           */
          id: string;
          /** @description What stands above it; null for nothing */
          title: string | null;
          /** @description The space that the post is in */
          space: {
            /**
             * Format: uuid
             * @description Names the space on routes
             */
            id: string;
            /** @description What it is called */
            name: string;
          };
        } | null;
      };
      /** @description How many students told the staff of it */
      reports_count: number;
      /** @description What they told, the newest 10, the newest first */
      reports: {
        /** @description Who told */
        student: {
          /**
           * Format: uuid
           * @description Names the student on routes
           */
          id: string;
          /** @description What the student is called now */
          name: string;
        };
        /** @description What is wrong with it, as it was said; null for nothing */
        reason: string | null;
        /**
         * Format: date-time
         * @description When it was said
         */
        created_at: string;
      }[];
    };
    /** @description A part of a course, which holds lessons in an order */
    Module: {
      /**
       * Format: uuid
       * @description Names the module on the dashboard's routes
       */
      id: string;
      /**
       * Format: uuid
       * @description The course that it is a part of; this never changes
       */
      course_id: string;
      /** @description What the module is called, above its lessons */
      title: string;
      /** @description Orders the modules of the course, the lowest first; there may be gaps */
      position: number;
      /**
       * Format: date-time
       * @description When the module was added
       */
      created_at: string;
    };
    /** @description What to send as `cursor` for the next page, as it is; null on the last page */
    NextCursor: string | null;
    /** @description Always null: the list is whole */
    NoNextCursor: string | null;
    /** @description A repository as students open it, with its files */
    OpenedRepository: {
      /** @description The repository's key in addresses of the classroom, unique among the club's repositories */
      public_id: string;
      /** @description What the repository is called */
      title: string;
      /** @description How many files are in it */
      file_count: number;
      /** @description Whose files these are, to be shown beside the title; null for nobody */
      instructor_name: string | null;
      /** @description A picture to be shown beside the title, an https address; null for none */
      cover_url: string | null;
      /** @description All its files, in the order that the staff gave them */
      files: components["schemas"]["RepositoryFile"][];
    };
    /** @description A lesson of an outline, drafts too */
    OutlinedLesson: {
      /**
       * Format: uuid
       * @description Names the lesson on the dashboard's routes
       */
      id: string;
      /** @description The lesson's key in addresses of the classroom, unique among the club's lessons */
      public_id: string;
      /** @description What the lesson is called, for members and students */
      title: string;
      /** @description From when on students see the lesson; a future time is a schedule. Null: it is a draft, which they never see */
      published_at: string | null;
      /** @description How many blocks it is made of */
      blocks_count: number;
    };
    /** @description A module of an outline */
    OutlinedModule: {
      /**
       * Format: uuid
       * @description Names the module on the dashboard's routes
       */
      id: string;
      /** @description What the module is called, above its lessons */
      title: string;
      /** @description Its lessons in their order, at most 200 */
      lessons: components["schemas"]["OutlinedLesson"][];
    };
    /** @description The key that asks */
    OwnKey: {
      /**
       * Format: uuid
       * @description Names the key where it is changed or revoked
       */
      id: string;
      /** @description What the key is for, as its club calls it */
      name: string;
      /** @description The 8 characters after `turma_` in its token: they tell which key a token belongs to */
      prefix: string;
      /**
       * @description `active` works; `expired` and `revoked` have ended for good; `unowned` does not work until an administrator takes it over, because whoever it acted for is no member any more
       */
      status: "active" | "expired" | "revoked" | "unowned";
      /** @description The role that the key acts in: `admin` does everything that a key may, `editor` content and community, `support` students and conversations, `viewer` only reads. Null where its scopes alone say it */
      role: ("admin" | "editor" | "support" | "viewer") | null;
      /** @description Areas of the API, each with `:read`, which reads, or `:write`, which reads and writes. Null where its role alone says it */
      scopes: components["schemas"]["KeyScope"][] | null;
      /** @description The networks in CIDR notation that it may be used from; none where it may be used from everywhere */
      allowed_networks: string[];
      /** @description Whose right it shares: it may never more than this member may today. Null once they are no member */
      holder: components["schemas"]["KeyHolder"] | null;
      /**
       * Format: date-time
       * @description When it was made
       */
      created_at: string;
      /** @description When it ends by itself; null if it does not */
      expires_at: string | null;
      /** @description When it was revoked; null if it was not */
      revoked_at: string | null;
      /** @description Until when the token before the last rotation works as well; null if none does */
      previous_token_ends_at: string | null;
      /** @description When it was last used, to ten minutes; null if it never was */
      last_used_at: string | null;
      /** @description The address from which it was used then; null if it is not known */
      last_used_address: string | null;
      /**
       * Format: uuid
       * @description The public id of the key's club: stands for `clubId` in paths
       */
      organization_id: string;
      /** @description The club's name */
      club_name: string;
      /**
       * @description The role that it acts in today: its own, or the highest of a key where it has scopes, no higher than its holder's
       */
      acts_as: "owner" | "admin" | "editor" | "support" | "viewer";
    };
    /** @description The place in the ranking of the student who asks */
    OwnRank: {
      /** @description The student's points in the period; 0 or fewer if there are none, or the staff took as many */
      points: number;
      /** @description The level of all the student's points, whatever the period */
      level: components["schemas"]["Level"];
      /** @description As that of others with the same points; null without points above 0, which is to be in no ranking */
      position: number | null;
    };
    /** @description A plan that the club can buy */
    PlanOffer: {
      /** @description Names the plan, in `POST …/billing/checkout` too */
      key: string;
      /** @description What people call the plan */
      name: string;
      /** @description The price of a month in cents, before add-ons and overage */
      monthly_price_cents: number;
      /** @description The ISO 4217 code of the price's currency */
      currency: string;
    };
    /** @description Points that a student was given, or that were taken back */
    PointEntry: {
      /**
       * Format: uuid
       * @description Orders the entries by when they were made
       */
      id: string;
      /**
       * @description What the points are for; `adjustment` is what the staff gave or took
       */
      action: "lesson_completed" | "course_completed" | "quiz_passed" | "assignment_approved" | "comment_posted" | "post_published" | "live_attended" | "adjustment";
      /**
       * Format: uuid
       * @description The lesson, course, quiz block, assignment block, comment, post or live that paid; each pays a student once. An adjustment is its own origin
       */
      origin_id: string;
      /** @description How many points it made; below 0 for an adjustment that took some */
      points: number;
      /** @description Why the staff gave or took points; null for all other actions, and once the student was removed */
      reason: string | null;
      /** @description The member of the staff who gave or took points; null for all other actions */
      actor_user_id: string | null;
      /**
       * Format: date-time
       * @description When the points were given or taken
       */
      created_at: string;
    };
    /** @description A student's points, and what made them */
    PointStatement: {
      /** @description All points of the student; below 0 if the staff took more than there were */
      total: number;
      /** @description The highest level that the total reaches; the first one if it reaches none */
      level: components["schemas"]["Level"];
      /** @description One page of what made the total, the newest first */
      entries: components["schemas"]["PointEntry"][];
    };
    /** @description A post in a space of the community */
    Post: {
      /**
       * Format: uuid
       * @description Names the post on routes
       */
      id: string;
      /**
       * Format: uuid
       * @description The space that it is in; this never changes
       */
      space_id: string;
      /** @description What stands above it; null for nothing, of a deleted post, and for students of a hidden one */
      title: string | null;
      /** @description The words; empty of a deleted post, and for students of a hidden one */
      body: string;
      /** @description Who posted it */
      author: components["schemas"]["Author"];
      /**
       * Format: date-time
       * @description When it was posted
       */
      created_at: string;
      /** @description When its author last changed the words; null if they did not */
      edited_at: string | null;
      /** @description Whether no student is shown the words, its author neither */
      hidden: boolean;
      /** @description Whether the staff pinned it; pinned posts are a list of their own */
      pinned: boolean;
      /** @description Whether it was deleted, and stays without words as long as comments on it are seen */
      deleted: boolean;
      /** @description Whether whoever asks posted it */
      mine: boolean;
      /** @description How many comments on it whoever asks is shown, replies included */
      comments_count: number;
    };
    /** @description What a product of a sales platform gives access to. A product may have several */
    ProductMapping: {
      /**
       * Format: uuid
       * @description Names the mapping. Later ones have greater ids
       */
      id: string;
      /**
       * @description The sales platform that sells the product
       */
      platform: "hotmart" | "kiwify" | "stripe" | "hubla" | "eduzz" | "generic";
      /** @description The platform's id of the product */
      external_product_id: string;
      /** @description The platform's id of the one offer that the mapping is for; null: all offers of the product */
      external_offer_id: string | null;
      /**
       * Format: uuid
       * @description The delivery that a sale gives access to
       */
      delivery_id: string;
      /** @description The cohort of that delivery that the student comes into; null: none */
      cohort_id: string | null;
      /** @description For how many days a sale gives access, where the platform names no end of it; null: as the delivery says */
      access_days: number | null;
      /**
       * Format: date-time
       * @description When the mapping was made
       */
      created_at: string;
    };
    /** @description A product mapping, and what waited for it */
    ProductMappingDetail: {
      /**
       * Format: uuid
       * @description Names the mapping. Later ones have greater ids
       */
      id: string;
      /**
       * @description The sales platform that sells the product
       */
      platform: "hotmart" | "kiwify" | "stripe" | "hubla" | "eduzz" | "generic";
      /** @description The platform's id of the product */
      external_product_id: string;
      /** @description The platform's id of the one offer that the mapping is for; null: all offers of the product */
      external_offer_id: string | null;
      /**
       * Format: uuid
       * @description The delivery that a sale gives access to
       */
      delivery_id: string;
      /** @description The cohort of that delivery that the student comes into; null: none */
      cohort_id: string | null;
      /** @description For how many days a sale gives access, where the platform names no end of it; null: as the delivery says */
      access_days: number | null;
      /**
       * Format: date-time
       * @description When the mapping was made
       */
      created_at: string;
      /** @description How many events that were kept wait for such a mapping: `reprocess` takes them in */
      unmapped_events: number;
    };
    /** @description A charge on a sales platform; charges of one subscription share `subscription_id` */
    Purchase: {
      /**
       * Format: uuid
       * @description Names the purchase. Each charge of a subscription is one of its own
       */
      id: string;
      /** @description The key of the sales platform, one of `GET …/sales-platforms` */
      platform: string;
      /** @description The platform's id of the charge */
      external_id: string;
      /**
       * @description What is known of the charge by now. Of a refund and a chargeback, it is the chargeback
       */
      status: "paid" | "refunded" | "chargeback";
      /** @description What was sold; of several products the main one */
      product: {
        /** @description The platform's id of the product */
        external_id: string;
        /** @description The product's name on the platform; null where the platform did not tell it */
        name: string | null;
      };
      /** @description The platform's id of the offer; null where it has none */
      offer_external_id: string | null;
      /** @description What was charged, in the currency's minor unit: 14950 in BRL is R$ 149.50; null: not told */
      amount_cents: number | null;
      /** @description The currency's ISO 4217 code; null where the platform did not tell it */
      currency: string | null;
      /** @description How it was paid, in the platform's own word; null where the platform did not tell it */
      payment_method: string | null;
      /** @description Which charge of its subscription it is, the first being 1; null: of none, or not told */
      recurrence: number | null;
      /** @description The subscription that it is a charge of; null: of none */
      subscription_id: string | null;
      /** @description When it was paid, as the platform says; null while no payment is known */
      paid_at: string | null;
      /** @description When it was refunded or charged back, as `status` says; null while it is paid */
      refunded_at: string | null;
    };
    /** @description An attempt at a quiz, scored */
    QuizAttempt: {
      /**
       * Format: uuid
       * @description The attempt's own id; attempts sort by it as they were made
       */
      id: string;
      /** @description How many percent of the questions were answered correctly, rounded down */
      percent: number;
      /** @description Whether that is at least the quiz's `pass_percent` */
      passed: boolean;
      /** @description How many questions were answered correctly */
      correct_count: number;
      /** @description How many questions the quiz has */
      questions_count: number;
      /** @description How each question was answered, in the order of the quiz */
      results: {
        /**
         * Format: uuid
         * @description Which question of the quiz it is about
         */
        question_id: string;
        /** @description Whether the option that was chosen is a correct one */
        correct: boolean;
      }[];
      /** @description The points that this attempt earned; 0 unless it is the first that passes, or if `quiz_passed` pays nothing */
      points_awarded: number;
      /**
       * Format: date-time
       * @description When the attempt was made
       */
      created_at: string;
    };
    /** @description A student in the ranking */
    RankingEntry: {
      /** @description Who it is */
      student: {
        /**
         * Format: uuid
         * @description Names the student on the dashboard's routes
         */
        id: string;
        /** @description What the student is called now */
        name: string;
      };
      /** @description The student's points in the period */
      points: number;
      /** @description The level of all the student's points, whatever the period */
      level: components["schemas"]["Level"];
      /** @description From 1 on. Students with equal points have the same position, and the next fewer points have the next one */
      position: number;
    };
    /** @description An emoji that students gave a comment */
    ReactionCount: {
      /** @description The emoji */
      reaction: string;
      /** @description How many students gave it */
      count: number;
      /** @description Whether the student who asks gave it; false for the staff */
      mine: boolean;
    };
    /** @description What became of a PDF file that the assistant was to read */
    Reading: {
      /**
       * Format: uuid
       * @description The media record of the library whose file it is
       */
      media_id: string;
      /**
       * @description `no_text`: it was read, and there is no text in it for the assistant to quote. `waiting`: no lesson shows it yet, its turn has not come, its file is not there, or the club's next day has to begin
       */
      status: "waiting" | "reading" | "read" | "no_text" | "unreadable";
      /** @description Why it is unreadable: it is no PDF or encrypted (`broken`), its file is `missing` or has more than 50 MiB (`too_large`), it takes more `memory` or `time` than a document may, or the process that read it died three times (`crashed`). Why there is no text: its pages are `pictures`, as of a scanner, or there is `nothing` on them that is a letter. Null for every other status, and where it was found before reasons were stored */
      reason: ("broken" | "missing" | "too_large" | "memory" | "time" | "crashed" | "pictures" | "nothing") | null;
      /** @description When reading it was last begun; null if it never was */
      started_at: string | null;
    };
    /** @description A link that lets people sign up, in a closed club too, and gives them a delivery */
    RegistrationLink: {
      /**
       * Format: uuid
       * @description Names the link where it is read, changed or deleted; it lets nobody in
       */
      id: string;
      /** @description What lets people in: whoever has it can use the link */
      code: string;
      /**
       * Format: uri
       * @description The page of the classroom that signs people up with the code
       */
      url: string;
      /** @description What whoever uses it gets access to; null: nothing */
      delivery_id: string | null;
      /** @description The cohort that they come into; null: none */
      cohort_id: string | null;
      /** @description How often it can be used in all; null: without limit */
      max_uses: number | null;
      /** @description How often it has been used */
      uses: number;
      /** @description Until when it can be used; null: without end */
      expires_at: string | null;
      /**
       * Format: date-time
       * @description When it was made
       */
      created_at: string;
    };
    /** @description A repository of files as students see it */
    Repository: {
      /** @description The repository's key in addresses of the classroom, unique among the club's repositories */
      public_id: string;
      /** @description What the repository is called */
      title: string;
      /** @description How many files are in it */
      file_count: number;
      /** @description Whose files these are, to be shown beside the title; null for nobody */
      instructor_name: string | null;
      /** @description A picture to be shown beside the title, an https address; null for none */
      cover_url: string | null;
    };
    /** @description A file of a repository as students see it */
    RepositoryFile: {
      /**
       * Format: uuid
       * @description Names the file in its repository; the media record behind it has an id of its own
       */
      id: string;
      /** @description What the file is called in this repository */
      title: string;
      /**
       * @description What it is: told from the type of a file; a provider's is always a `video`
       */
      kind: "video" | "image" | "audio" | "document" | "file";
      /** @description The media type that the file was announced with; null with a provider */
      mime: string | null;
      /** @description How large the file is, in bytes; null with a provider */
      size_bytes: number | null;
      /** @description The name that the file was announced with; null with a provider */
      file_name: string | null;
    };
    /** @description A submission as the staff sees it. It stays when its assignment or lesson is deleted */
    ReviewedSubmission: {
      /**
       * Format: uuid
       * @description Names the submission on routes; submissions sort by it as they were made
       */
      id: string;
      /**
       * Format: uuid
       * @description The assignment, a block of a lesson, that it was submitted to
       */
      block_id: string;
      /** @description What the student wrote; empty once the student was removed */
      body: string;
      /**
       * @description `pending` until the staff decides. A decision stays; after a rejection the student may submit again
       */
      status: "pending" | "approved" | "rejected";
      /** @description What the staff says of it; null before the decision, without words, and once the student was removed */
      feedback: string | null;
      /** @description When the staff decided; null before that */
      reviewed_at: string | null;
      /**
       * Format: date-time
       * @description When it was submitted
       */
      created_at: string;
      /** @description Who submitted it */
      student: {
        /**
         * Format: uuid
         * @description Names the student on the dashboard's routes
         */
        id: string;
        /** @description What the student is called now */
        name: string;
        /** @description Whether the student was removed, and the name is not theirs */
        anonymized: boolean;
      };
      /** @description What stands above the assignment; null for nothing */
      block_title: string | null;
      /** @description The lesson that the assignment is in, deleted or not */
      lesson: {
        /**
         * Format: uuid
         * @description Names the lesson on the dashboard's routes
         */
        id: string;
        /** @description The lesson's key in addresses of the classroom */
        public_id: string;
        /** @description What the lesson is called now */
        title: string;
      };
      /** @description The member of the staff who decided; null before that */
      reviewer_user_id: string | null;
      /** @description The files that came with it, in the student's order; removed ones are left out */
      media: components["schemas"]["ShownMedia"][];
    };
    /** @description What an action of a student pays */
    Rule: {
      /**
       * @description What a student does: each lesson, course, quiz, assignment, comment, post and live pays once
       */
      action: "lesson_completed" | "course_completed" | "quiz_passed" | "assignment_approved" | "comment_posted" | "post_published" | "live_attended";
      /** @description How many points the action pays; 0 switches it off */
      points: number;
      /** @description How many times a day the action pays a student, in the club's time zone; null without a cap. Fixed by the platform */
      daily_cap: number | null;
    };
    /** @description A sales platform, and how to connect it */
    SalesPlatform: {
      /**
       * @description Names the platform, in product mappings and addresses too
       */
      key: "hotmart" | "kiwify" | "stripe" | "hubla" | "eduzz" | "generic";
      /** @description What the platform calls itself */
      name: string;
      /** @description How it signs what it sends, in English */
      signature: string;
      /** @description What an administrator does there, step by step, in English */
      setup_steps: string[];
      /** @description The platform's own names of the events that something follows from; others are ignored */
      events: string[];
    };
    /** @description A session as its holder sees it */
    Session: {
      /**
       * Format: uuid
       * @description Names the session where it is listed or ended; it is no credential
       */
      id: string;
      /**
       * @description Whose it is: `admin` an administrator's, for the dashboard; `student` a student's, for the classroom
       */
      kind: "admin" | "student";
      /**
       * Format: date-time
       * @description When it began
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When it was last used, to the hour
       */
      last_seen_at: string;
      /**
       * Format: date-time
       * @description When the session ends unless it is used before. Each use moves it on, up to the end that a session has in any case
       */
      expires_at: string;
      /** @description Whether it is the session that asks */
      current: boolean;
    };
    /** @description A media record where it is shown, with an address to open it */
    ShownMedia: {
      /**
       * @description What it is: told from the type of a file; a provider's is always a `video`
       */
      kind: "video" | "image" | "audio" | "document" | "file";
      /**
       * @description Where it is: in the platform's `storage`, or with a provider of hosted videos
       */
      provider: "storage" | "youtube" | "vimeo" | "panda" | "bunny" | "mux";
      /**
       * Format: uri
       * @description Where it can be opened: the file itself, or the provider's page of the video. Whoever has it can open it
       */
      url: string;
      /** @description When the address ends, an hour after this answer; null with a provider, whose address stays */
      expires_at: string | null;
      /** @description Whether the address is signed, and therefore ends */
      signed: boolean;
      /** @description A small still picture of it, as the staff says; null if nobody said so */
      thumbnail_url: string | null;
      /** @description How long it plays, in seconds, as the staff says; null if nobody said so */
      duration_seconds: number | null;
      /** @description What it is called */
      title: string;
    };
    /** @description That the assistant wrote nothing, and why */
    Silence: {
      /**
       * @description Why: nothing in the course's material answers it, also on posts (`no_material`), or not surely enough (`low_confidence`), it asks nothing, its thread was answered, a student did not write it, the club's month is used up, the assistant is switched off, or the comment is hidden, deleted or held back
       */
      reason: "no_material" | "low_confidence" | "not_a_question" | "already_answered" | "author_is_staff" | "budget_exhausted" | "assistant_disabled" | "comment_unavailable";
    };
    /** @description A part of the community, in which people post */
    Space: {
      /**
       * Format: uuid
       * @description Names the space on routes
       */
      id: string;
      /** @description What the space is called */
      name: string;
      /**
       * @description Which students may enter: `community` all of the club, `delivery` those with a delivery that contains the community
       */
      access: "community" | "delivery";
      /**
       * @description `hidden` keeps the space from all students; `members` and `public` show it to those who may enter, and differ as a mark alone
       */
      visibility: "members" | "public" | "hidden";
      /**
       * @description Who may post: `members` students and staff, `staff` the staff alone. Students comment in both
       */
      posting: "members" | "staff";
      /** @description Orders the spaces that are not archived, the lowest first; there may be gaps */
      position: number;
      /** @description Whether it is put away: students see nothing of it, and nobody posts in it. This is not undone */
      archived: boolean;
      /**
       * Format: date-time
       * @description When the space was added
       */
      created_at: string;
      /** @description What the space is for; may be empty */
      description: string;
    };
    /** @description A student of a club, with their access */
    Student: {
      /**
       * Format: uuid
       * @description Names the student, in this club alone
       */
      id: string;
      /** @description The student's name; a placeholder once they were removed */
      name: string;
      /**
       * Format: email
       * @description The address that they sign in with; a placeholder once they were removed
       */
      email: string;
      /** @description Whether a mailed link has proven the address */
      verified: boolean;
      /** @description Whether they have chosen a password; others sign in by mailed codes */
      has_password: boolean;
      /** @description Whether they were removed: nothing that is about the person is left */
      anonymized: boolean;
      /**
       * Format: date-time
       * @description When the account was made
       */
      created_at: string;
      /** @description What they have and had access to, newest first, at most 500 */
      enrollments: components["schemas"]["Enrollment"][];
      /** @description What happened to their accesses, newest first, at most 500 */
      access_events: components["schemas"]["AccessEvent"][];
      /** @description The national tax document, as it was entered; null where there is none, and for everybody but owner and admin in person: keys never get it */
      document: string | null;
    };
    /** @description How far a student is in a course */
    StudentCourse: {
      /** @description Which course it is */
      course: {
        /**
         * Format: uuid
         * @description Names the course
         */
        id: string;
        /** @description What the course is called */
        title: string;
      };
      /** @description How many lessons the course has that are live now */
      lessons_total: number;
      /** @description How many of them the student has completed */
      lessons_completed: number;
      /** @description When the course was finished for the first time; null before that */
      completed_at: string | null;
      /** @description When the student completed a lesson of it last, live or not; null while none is completed */
      last_completed_at: string | null;
    };
    /** @description What the removal of a student deleted */
    StudentErasure: {
      /**
       * Format: uuid
       * @description The student who was removed
       */
      student_id: string;
      /**
       * Format: date-time
       * @description When they were removed
       */
      erased_at: string;
      /** @description How many records of each kind were deleted or emptied */
      counts: {
        [key: string]: number;
      };
    };
    /** @description A list of students that was sent, and how far it is */
    StudentImport: {
      /**
       * Format: uuid
       * @description Names the import
       */
      id: string;
      /**
       * @description How far it is; `completed` says that every row was worked through, not that none failed
       */
      status: "pending" | "running" | "completed";
      /** @description Whether it writes nothing: its counts and errors are those that it would have */
      dry_run: boolean;
      /** @description How many rows it has */
      total: number;
      /** @description How many of them are worked through: `created`, `existing` and `failed` together */
      processed: number;
      /** @description How many rows made a student */
      created: number;
      /** @description How many rows were of students who were there, or of an address of an earlier row */
      existing: number;
      /** @description How many accesses were given, to new students and to those who were there */
      granted: number;
      /** @description How many rows have something wrong in them */
      failed: number;
      /** @description The columns of its CSV that were left out: unknown ones, and parts of a name beside the whole; of JSON there are none */
      unknown_columns: string[];
      /**
       * Format: uuid
       * @description The member who sent it
       */
      actor_user_id: string;
      /**
       * Format: date-time
       * @description When it was sent
       */
      created_at: string;
      /** @description When its last row was worked through; null before */
      finished_at: string | null;
    };
    /** @description One thing that is wrong in a row of an import */
    StudentImportError: {
      /**
       * Format: uuid
       * @description Names the error
       */
      id: string;
      /** @description The line of the file, its header counted, or the number of a row in a JSON body; from 1 */
      line: number;
      /**
       * @description The column that is wrong; `row` for the row as a whole
       */
      field: "row" | "name" | "email" | "document" | "delivery" | "cohort" | "expires_at";
      /**
       * @description What is wrong with it, for programs
       */
      code: "required" | "invalid" | "unknown" | "ambiguous" | "passed" | "too_many_cells" | "quotes" | "encoding" | "scientific_notation" | "removed" | "internal";
      /** @description The same for people; it never has the value */
      message: string;
    };
    /** @description A student's own points and level */
    StudentStanding: {
      /** @description Whether the club pays points now */
      enabled: boolean;
      /** @description All points of the student; below 0 if the staff took more than there were */
      points: number;
      /** @description The highest level that the points reach; the first one if they reach none */
      level: components["schemas"]["Level"];
      /** @description The level above it; null at the top of the ladder */
      next_level: components["schemas"]["Level"] | null;
    };
    /** @description A student in a list */
    StudentSummary: {
      /**
       * Format: uuid
       * @description Names the student, in this club alone
       */
      id: string;
      /** @description The student's name; a placeholder once they were removed */
      name: string;
      /**
       * Format: email
       * @description The address that they sign in with; a placeholder once they were removed
       */
      email: string;
      /** @description Whether a mailed link has proven the address */
      verified: boolean;
      /** @description Whether they have chosen a password; others sign in by mailed codes */
      has_password: boolean;
      /** @description Whether they were removed: nothing that is about the person is left */
      anonymized: boolean;
      /**
       * Format: date-time
       * @description When the account was made
       */
      created_at: string;
    };
    /** @description What a student submitted to an assignment */
    Submission: {
      /**
       * Format: uuid
       * @description Names the submission on routes; submissions sort by it as they were made
       */
      id: string;
      /**
       * Format: uuid
       * @description The assignment, a block of a lesson, that it was submitted to
       */
      block_id: string;
      /** @description What the student wrote; empty once the student was removed */
      body: string;
      /**
       * @description `pending` until the staff decides. A decision stays; after a rejection the student may submit again
       */
      status: "pending" | "approved" | "rejected";
      /** @description What the staff says of it; null before the decision, without words, and once the student was removed */
      feedback: string | null;
      /** @description When the staff decided; null before that */
      reviewed_at: string | null;
      /**
       * Format: date-time
       * @description When it was submitted
       */
      created_at: string;
      /** @description The files that came with it, in the student's order; removed ones are left out */
      media: components["schemas"]["ShownMedia"][];
    };
    /** @description A recurring sale on a sales platform */
    Subscription: {
      /**
       * Format: uuid
       * @description Names the subscription
       */
      id: string;
      /** @description The key of the sales platform, one of `GET …/sales-platforms` */
      platform: string;
      /** @description The platform's id of the subscription */
      external_id: string;
      /**
       * @description What is known of the subscription by now: past_due while a charge is late
       */
      status: "active" | "past_due" | "canceled";
      /** @description The name of the plan on the platform; null where it did not tell it */
      plan_name: string | null;
      /** @description What was sold; of several products the main one */
      product: {
        /** @description The platform's id of the product */
        external_id: string;
        /** @description The product's name on the platform; null where the platform did not tell it */
        name: string | null;
      };
      /** @description Until when the period that was paid lasts, and access with it; null where it is not known */
      current_period_end: string | null;
      /** @description When the charge that is late became so; null while none is */
      past_due_since: string | null;
      /** @description When the subscription was canceled; null while it is not */
      canceled_at: string | null;
    };
    /** @description A conversation of a student with the staff, as a member sees it */
    SupportConversation: {
      /**
       * Format: uuid
       * @description Names the conversation on routes
       */
      id: string;
      /** @description What the student asked about; empty once the student was removed */
      subject: string;
      /**
       * @description `open` waits for the staff, `pending` for the student, `closed` for nobody. What a student writes opens it again
       */
      status: "open" | "pending" | "closed";
      /**
       * Format: date-time
       * @description When the student opened it
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the last message was written
       */
      last_message_at: string;
      /** @description The first 200 characters of the last message; empty once the student was removed */
      last_message_preview: string;
      /** @description How many messages it has, of both sides */
      messages_count: number;
      /** @description How many messages of the other side whoever asks has not read */
      unread_count: number;
      /** @description The `number` of the last message that whoever asks has read, or did not have to read; 0 for none */
      read_number: number;
      /** @description Who opened it */
      student: {
        /**
         * Format: uuid
         * @description Names the student on the dashboard's routes
         */
        id: string;
        /** @description What the student is called now */
        name: string;
      };
      /** @description The member who looks after it; null for nobody, and once they no longer look after students */
      assignee: {
        /**
         * Format: uuid
         * @description The id of the member's account
         */
        id: string;
        /** @description What the member is called now */
        name: string;
      } | null;
    };
    /** @description A message of a support conversation */
    SupportMessage: {
      /**
       * Format: uuid
       * @description The message's own id
       */
      id: string;
      /** @description Counts the messages of the conversation from 1 on, without gaps */
      number: number;
      /** @description Who wrote it: the student, or a member of the staff */
      author: components["schemas"]["Author"];
      /** @description The words; empty once the student was removed, the staff's too */
      body: string;
      /** @description Whether whoever asks wrote it */
      mine: boolean;
      /**
       * Format: date-time
       * @description When it was written
       */
      created_at: string;
    };
    /** @description What is said in a media record, as a person wrote it down */
    Transcript: {
      /**
       * Format: uuid
       * @description The media record of the library that it is of
       */
      media_id: string;
      /** @description What is said in it, word for word: the assistant quotes it */
      text: string;
    };
    /** @description A subscription that was bought elsewhere and says that it is for the club */
    UnconfirmedSubscription: {
      /**
       * Format: uuid
       * @description Names what is to be confirmed
       */
      id: string;
      /** @description The provider's id of the subscription */
      external_id: string;
      /** @description The plan that was bought */
      plan: {
        /** @description The key of the plan */
        key: string;
        /** @description What people call the plan; its key where the catalog does not have it any more */
        name: string;
      };
      /**
       * Format: date-time
       * @description When we heard of the subscription
       */
      created_at: string;
    };
    /** @description A product, or an offer of it, that was sold and that no mapping takes */
    UnmappedProduct: {
      /**
       * @description The sales platform that sells it
       */
      platform: "hotmart" | "kiwify" | "stripe" | "hubla" | "eduzz" | "generic";
      /** @description The platform's id of the product */
      external_product_id: string;
      /** @description The platform's id of the offer that was sold; null where it named none */
      external_offer_id: string | null;
      /** @description The product's name on the platform, as it told it last; null where it did not */
      name: string | null;
      /** @description How many events that are still kept wait for a mapping of it */
      events: number;
      /**
       * Format: date-time
       * @description When the first of them came in
       */
      first_received_at: string;
      /**
       * Format: date-time
       * @description When the last of them came in
       */
      last_received_at: string;
    };
    /** @description What the next invoice would say if nothing changed until its period begins */
    UpcomingInvoice: {
      /** @description The ISO 4217 code of the currency of all amounts */
      currency: string;
      /**
       * Format: date-time
       * @description The beginning of the period that is invoiced
       */
      period_start: string;
      /**
       * Format: date-time
       * @description When that period is over
       */
      period_end: string;
      /** @description What is charged and given back: charges first, then credit */
      lines: components["schemas"]["InvoiceLine"][];
      /** @description What the lines add up to, in cents, never below zero */
      total_cents: number;
    };
    /** @description Something about an endpoint that somebody should look at */
    WebhookAdvice: {
      /**
       * @description `secrets_unreadable`: its secrets do not open with the keys of the service, so nothing is sent. `gone`: the receiver answers 410. `certificate_ends`: its certificate ends within 14 days, or has. `secret_ends`: a replaced secret still signs, and will not for long
       */
      about: "secrets_unreadable" | "gone" | "certificate_ends" | "secret_ends";
      /** @description What there is to do, in English */
      sentence: string;
    };
    /** @description One POST and what came of it. Kept for 30 days */
    WebhookAttempt: {
      /**
       * Format: uuid
       * @description Names the attempt. Later ones have greater ids
       */
      id: string;
      /**
       * Format: uuid
       * @description The delivery that was sent
       */
      delivery_id: string;
      /** @description Which attempt of its delivery it is, the first being 1 */
      number: number;
      /**
       * @description What it came from: the retry schedule, or a person by resending (`manual`), the test button or recovering
       */
      trigger: "schedule" | "manual" | "test" | "recover";
      /**
       * Format: date-time
       * @description When it began
       */
      started_at: string;
      /** @description How long it took, in milliseconds */
      duration_ms: number;
      /** @description The HTTP status of the answer; null where none came */
      status_code: number | null;
      /** @description Why it failed: `http_status` is an answer other than 2xx, `redirect` one of 3xx; null where it was accepted */
      error: ("timeout" | "dns" | "connection" | "tls" | "address_not_allowed" | "redirect" | "http_status" | "protocol") | null;
      /** @description The start of the answer, 2 KB at most; null where there is none */
      response_body: string | null;
      /** @description For how long the answer asked to wait, in seconds; null where it did not */
      retry_after_seconds: number | null;
      /** @description Where the time went; null where that is not known, as of what a listener received */
      phases: components["schemas"]["WebhookAttemptPhases"] | null;
      /** @description Whether it was sent on the connection of an earlier attempt; null where it was not sent or that is not known */
      connection_reused: boolean | null;
      /** @description The address it was connected to; null where it was to none or that is not known */
      peer_address: string | null;
      /** @description The version of TLS; null where the connection was not secured or that is not known */
      tls_version: string | null;
      /** @description When the receiver's certificate ends; null where there was none or that is not known */
      certificate_ends_at: string | null;
      /** @description Its headers as signed; null where it was not sent, a listener received it, or its student was removed */
      request_headers: components["schemas"]["WebhookRequestHeaders"] | null;
      /** @description SHA-256 of the signed body, in hexadecimal; null where `request_headers` are or the body exists no more */
      body_sha256: string | null;
    };
    /** @description Where the time of an attempt went, phase by phase, in milliseconds. Null is a phase that there was none of: it ended before, or the connection was there */
    WebhookAttemptPhases: {
      /** @description Until the name had addresses; null for an address without a name */
      lookup_ms: number | null;
      /** @description Until one of them was connected */
      connect_ms: number | null;
      /** @description Until the connection was secured */
      tls_ms: number | null;
      /** @description Until the request was written */
      send_ms: number | null;
      /** @description Until the answer began */
      wait_ms: number | null;
      /** @description Until as much of the answer was read as is kept */
      read_ms: number | null;
    };
    /** @description Why something was not delivered, and what to do */
    WebhookCause: {
      /**
       * @description The error of the last attempt, or why it was canceled; before the first attempt what it waits for: its turn, the end of a hold, or that a paused endpoint is enabled
       */
      cause: "timeout" | "dns" | "connection" | "tls" | "address_not_allowed" | "redirect" | "http_status" | "protocol" | "expired" | "student_removed" | "endpoint_disabled" | "endpoint_deleted" | "waiting" | "held" | "paused";
      /** @description The HTTP status that was answered; null where none was */
      status_code: number | null;
      /** @description Since when it is so; null before the first attempt */
      at: string | null;
      /** @description What happened, in English */
      sentence: string;
      /** @description What to do about it, in English */
      next_step: string;
    };
    /** @description An event on its way to one endpoint. Kept for 90 days */
    WebhookDelivery: {
      /**
       * Format: uuid
       * @description Names the delivery. Later ones have greater ids
       */
      id: string;
      /**
       * Format: uuid
       * @description Where the event is sent; the endpoint may be deleted by now
       */
      endpoint_id: string;
      /**
       * Format: uuid
       * @description The event: `webhook-id` of every attempt and `id` in the body
       */
      event_id: string;
      /** @description Which kind of fact it tells */
      event_type: components["schemas"]["EventType"];
      /**
       * @description What has become of it: `pending` until an attempt is accepted, the last one has failed (the 8th, or the one of a recovery) or it is canceled
       */
      status: "pending" | "succeeded" | "failed" | "canceled";
      /** @description Why it was given up: it waited for 30 days, its student was removed, its endpoint was disabled or deleted; null unless it is canceled */
      cancel_reason: ("expired" | "student_removed" | "endpoint_disabled" | "endpoint_deleted") | null;
      /** @description Whether the body exists no more: it is erased with its student, and else after 30 days */
      payload_purged: boolean;
      /** @description How often it was sent so far, resends too */
      attempts_count: number;
      /** @description When the next attempt is due, one that a person asked for too; null where none follows */
      next_attempt_at: string | null;
      /** @description When the latest attempt began; null before the first one */
      last_attempt_at: string | null;
      /** @description The HTTP status that answered the latest attempt; null before the first one or where no answer came */
      last_status_code: number | null;
      /** @description Why the latest attempt failed; null before the first one or where it was accepted */
      last_error: ("timeout" | "dns" | "connection" | "tls" | "address_not_allowed" | "redirect" | "http_status" | "protocol") | null;
      /** @description The student that the event is about; null: about none */
      student_id: string | null;
      /**
       * Format: date-time
       * @description When the body was assembled and the delivery made, some seconds after the event
       */
      created_at: string;
      /** @description When it succeeded, failed for good or was canceled; null while it is pending */
      finished_at: string | null;
    };
    /** @description A delivery with the body that is sent and what came of its attempts */
    WebhookDeliveryDetail: {
      /**
       * Format: uuid
       * @description Names the delivery. Later ones have greater ids
       */
      id: string;
      /**
       * Format: uuid
       * @description Where the event is sent; the endpoint may be deleted by now
       */
      endpoint_id: string;
      /**
       * Format: uuid
       * @description The event: `webhook-id` of every attempt and `id` in the body
       */
      event_id: string;
      /** @description Which kind of fact it tells */
      event_type: components["schemas"]["EventType"];
      /**
       * @description What has become of it: `pending` until an attempt is accepted, the last one has failed (the 8th, or the one of a recovery) or it is canceled
       */
      status: "pending" | "succeeded" | "failed" | "canceled";
      /** @description Why it was given up: it waited for 30 days, its student was removed, its endpoint was disabled or deleted; null unless it is canceled */
      cancel_reason: ("expired" | "student_removed" | "endpoint_disabled" | "endpoint_deleted") | null;
      /** @description Whether the body exists no more: it is erased with its student, and else after 30 days */
      payload_purged: boolean;
      /** @description How often it was sent so far, resends too */
      attempts_count: number;
      /** @description When the next attempt is due, one that a person asked for too; null where none follows */
      next_attempt_at: string | null;
      /** @description When the latest attempt began; null before the first one */
      last_attempt_at: string | null;
      /** @description The HTTP status that answered the latest attempt; null before the first one or where no answer came */
      last_status_code: number | null;
      /** @description Why the latest attempt failed; null before the first one or where it was accepted */
      last_error: ("timeout" | "dns" | "connection" | "tls" | "address_not_allowed" | "redirect" | "http_status" | "protocol") | null;
      /** @description The student that the event is about; null: about none */
      student_id: string | null;
      /**
       * Format: date-time
       * @description When the body was assembled and the delivery made, some seconds after the event
       */
      created_at: string;
      /** @description When it succeeded, failed for good or was canceled; null while it is pending */
      finished_at: string | null;
      /**
       * @description The body as it is sent, with its envelope; null once it exists no more
       * @example {
       *       "id": "019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c",
       *       "type": "student.created",
       *       "occurred_at": "2026-04-01T09:30:00.000Z",
       *       "club_id": "6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10",
       *       "data": {
       *         "student": {
       *           "id": "01993f2a-7c00-7a10-8c4e-5b1d2f3a4c5d",
       *           "name": "Noel Rosa",
       *           "email": "noel@example.com",
       *           "verified": true,
       *           "created_at": "2026-03-02T13:05:41.120Z"
       *         },
       *         "origin": "sign_up"
       *       }
       *     }
       */
      payload: unknown;
      /** @description Why it is not delivered, and what to do; null where it was accepted */
      diagnosis: components["schemas"]["WebhookCause"] | null;
      /** @description The latest attempts, 100 at most, oldest first */
      attempts: components["schemas"]["WebhookAttempt"][];
    };
    /** @description An event of a stream of deliveries */
    WebhookDeliveryEvent: {
      /** @description When the first page was read; a stream that begins anew tells that page again */
      id?: string;
      /**
       * @description The first page is told; changes follow
       */
      event: "listed";
      data: {
        /**
         * Format: date-time
         * @description When it was read
         */
        at: string;
      };
    } | {
      /** @description When the first page was read; a stream that begins anew tells that page again */
      id?: string;
      /**
       * @description A delivery is new, or has changed
       */
      event: "delivery";
      data: components["schemas"]["WebhookDelivery"];
    };
    /** @description Why an endpoint is or is not delivering, and what waits for it */
    WebhookDiagnosis: {
      /**
       * @description `enabled`: events are sent. `paused`: they are kept and wait. `disabled`: what waited was canceled, and new events are not kept for it
       */
      status: "enabled" | "paused" | "disabled";
      /** @description Why it is disabled: `failing` after 5 days without an accepted attempt, `manual` by an administrator; null while it is not */
      disabled_reason: ("failing" | "manual") | null;
      /** @description Whether one attempt is made at a time, until one is accepted: so it is after 5 failures in a row */
      held: boolean;
      /** @description After 5 failed attempts in a row: until then nothing is sent but what a person asks for, and after it one attempt at a time until one is accepted. It grows from a minute to an hour; null while nothing is held */
      hold_until: string | null;
      /** @description Failed attempts since the last one that was accepted, or since the endpoint was enabled */
      consecutive_failures: number;
      /** @description How many deliveries have a next attempt, 10,000 at most */
      queue_depth: number;
      /** @description Whether more deliveries wait than were counted */
      queue_depth_capped: boolean;
      /** @description When the oldest of the deliveries that were counted was created; null where none waits */
      oldest_pending_at: string | null;
      /** @description When something is sent next. If it is past, that waits for a worker; null where nothing waits or the endpoint is not enabled */
      next_attempt_at: string | null;
      /** @description When the first failed attempt ended since one was accepted, or since the endpoint was enabled; null where none has failed since */
      failing_since: string | null;
      /** @description When the endpoint is disabled if it accepts nothing until then; null where it is not failing or not enabled */
      projected_disable_at: string | null;
      /** @description Why the latest attempt that failed did, and what to do; null where none has */
      last_failure: components["schemas"]["WebhookCause"] | null;
      /** @description What to look at although nothing may have failed yet */
      advice: components["schemas"]["WebhookAdvice"][];
      /** @description All of it in one English sentence */
      summary: string;
    };
    /** @description How far an endpoint that was paused is with what waited for it */
    WebhookDrain: {
      /**
       * @description `waiting`: the endpoint is paused, and `remaining` would be drained. Else the latest drain: none, under way, `completed`, or `canceled` by taking its rate away or stopping the endpoint
       */
      status: "none" | "waiting" | "draining" | "completed" | "canceled";
      /** @description How many attempts a second at most; null: nothing is drained */
      rate: number | null;
      /** @description When the endpoint was enabled: what was due then is drained; null: nothing was, or it is paused */
      begun_at: string | null;
      /** @description When it was completed or canceled; null before */
      ended_at: string | null;
      /** @description When it is through at this rate, at the earliest; null unless it is under way, and while held */
      ends_at: string | null;
      /** @description How many were due then, 10,000 at most; null where that is not known */
      total: number | null;
      /** @description How many of them are not sent yet, 10,000 at most */
      remaining: number;
      /** @description Whether there are more than those 10,000 */
      capped: boolean;
      /** @description What remains by type, in the order of their names */
      by_type: {
        /** @description Which kind of fact they tell */
        event_type: components["schemas"]["EventType"];
        /** @description How many would be sent */
        count: number;
      }[];
      /** @description What remains by age, oldest first */
      by_day: {
        /** @description The day in the club's time zone */
        date: string;
        /** @description How many of those that were created on it would be sent */
        count: number;
      }[];
    };
    /** @description Where a club's events are posted to, which ones, and how that goes */
    WebhookEndpoint: {
      /**
       * Format: uuid
       * @description Names the endpoint. Later ones have greater ids
       */
      id: string;
      /**
       * @description `https`: events are posted to its URL. `inbox`: they are handed to an inbox of the club. `listener`: it has no address, and its client polls for them
       */
      kind: "https" | "inbox" | "listener";
      /**
       * Format: uri
       * @description Where events are posted to, in the form that URL parsers give it; `listener:` and its id for a listener, `inbox:` and the inbox's id for an inbox
       */
      url: string;
      /** @description The inbox that its events are handed to; null for the other kinds */
      inbox_id: string | null;
      /** @description A note for administrators; empty where there is none */
      description: string;
      /**
       * @description `enabled`: events are sent. `paused`: they are kept and wait. `disabled`: what waited was canceled, and new events are not kept for it
       */
      status: "enabled" | "paused" | "disabled";
      /** @description The types of events that are sent to it */
      event_types: components["schemas"]["EventType"][];
      /** @description Whether owners and admins are mailed when it is held for an hour, back, about to be disabled, or a replaced secret ends */
      notices: boolean;
      /** @description After 5 failed attempts in a row: until then nothing is sent but what a person asks for, and after it one attempt at a time until one is accepted. It grows from a minute to an hour; null while nothing is held */
      hold_until: string | null;
      /** @description Why it is disabled: `failing` after 5 days without an accepted attempt, `manual` by an administrator; null while it is not */
      disabled_reason: ("failing" | "manual") | null;
      /** @description When it was disabled; null while it is not */
      disabled_at: string | null;
      /** @description Failed attempts since the last one that was accepted, or since the endpoint was enabled */
      consecutive_failures: number;
      /** @description When an attempt was accepted last; null: never */
      last_success_at: string | null;
      /** @description When an attempt failed last; null: never */
      last_failure_at: string | null;
      /** @description When the last of the replaced secrets signs no more; null while the newest one alone signs */
      previous_secret_expires_at: string | null;
      /**
       * @description What signs: `hmac` its secret alone (`v1`), `both` its Ed25519 key (`v1a`) beside it
       */
      signing: "hmac" | "both";
      /** @description The Ed25519 key to verify `v1a` with; null before it has one. With those that were replaced, it is at `/.well-known/turma/webhook-keys/{id}` */
      public_key: string | null;
      /** @description When a listener is deleted unless it polls before: an hour after its latest poll, give or take a minute; null for `https` */
      listening_until: string | null;
      /** @description Which events of its types are sent, by fields of their bodies; null: all of them. `student.removed` is sent whatever it says */
      filter: Record<string, never> | null;
      /** @description Names of the headers of its own that every request has; no answer shows their values */
      header_names: string[];
      /** @description At most so many attempts begin in a second, evenly spread; null: no limit of its own */
      max_per_second: number | null;
      /** @description At most so many attempts are under way at once, if the service makes as many; null: no limit of its own */
      max_in_flight: number | null;
      /** @description Attempts a second at most until what waited while it was paused has been sent; null when none waits */
      drain_rate: number | null;
      /**
       * Format: date-time
       * @description When it was registered
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When its settings, status or secret were changed last
       */
      updated_at: string;
    };
    /** @description An endpoint and its diagnosis */
    WebhookEndpointDiagnosis: {
      /**
       * Format: uuid
       * @description Names the endpoint. Later ones have greater ids
       */
      endpoint_id: string;
      /** @description Why it is or is not delivering */
      diagnosis: components["schemas"]["WebhookDiagnosis"];
    };
    /** @description The same of one of all endpoints, in short */
    WebhookEndpointSeries: {
      /**
       * Format: uuid
       * @description Whose attempts were counted
       */
      endpoint_id: string;
      /** @description Every step, oldest first, also where nothing was sent */
      points: {
        /**
         * Format: date-time
         * @description When the step begins: an hour or a day of the club's time zone
         */
        at: string;
        /** @description How many attempts were accepted */
        succeeded: number;
        /** @description How many attempts failed; most of them are made again later */
        failed: number;
      }[];
    };
    /** @description A webhook endpoint with its new signing secret */
    WebhookEndpointWithSecret: {
      /**
       * Format: uuid
       * @description Names the endpoint. Later ones have greater ids
       */
      id: string;
      /**
       * @description `https`: events are posted to its URL. `inbox`: they are handed to an inbox of the club. `listener`: it has no address, and its client polls for them
       */
      kind: "https" | "inbox" | "listener";
      /**
       * Format: uri
       * @description Where events are posted to, in the form that URL parsers give it; `listener:` and its id for a listener, `inbox:` and the inbox's id for an inbox
       */
      url: string;
      /** @description The inbox that its events are handed to; null for the other kinds */
      inbox_id: string | null;
      /** @description A note for administrators; empty where there is none */
      description: string;
      /**
       * @description `enabled`: events are sent. `paused`: they are kept and wait. `disabled`: what waited was canceled, and new events are not kept for it
       */
      status: "enabled" | "paused" | "disabled";
      /** @description The types of events that are sent to it */
      event_types: components["schemas"]["EventType"][];
      /** @description Whether owners and admins are mailed when it is held for an hour, back, about to be disabled, or a replaced secret ends */
      notices: boolean;
      /** @description After 5 failed attempts in a row: until then nothing is sent but what a person asks for, and after it one attempt at a time until one is accepted. It grows from a minute to an hour; null while nothing is held */
      hold_until: string | null;
      /** @description Why it is disabled: `failing` after 5 days without an accepted attempt, `manual` by an administrator; null while it is not */
      disabled_reason: ("failing" | "manual") | null;
      /** @description When it was disabled; null while it is not */
      disabled_at: string | null;
      /** @description Failed attempts since the last one that was accepted, or since the endpoint was enabled */
      consecutive_failures: number;
      /** @description When an attempt was accepted last; null: never */
      last_success_at: string | null;
      /** @description When an attempt failed last; null: never */
      last_failure_at: string | null;
      /** @description When the last of the replaced secrets signs no more; null while the newest one alone signs */
      previous_secret_expires_at: string | null;
      /**
       * @description What signs: `hmac` its secret alone (`v1`), `both` its Ed25519 key (`v1a`) beside it
       */
      signing: "hmac" | "both";
      /** @description The Ed25519 key to verify `v1a` with; null before it has one. With those that were replaced, it is at `/.well-known/turma/webhook-keys/{id}` */
      public_key: string | null;
      /** @description When a listener is deleted unless it polls before: an hour after its latest poll, give or take a minute; null for `https` */
      listening_until: string | null;
      /** @description Which events of its types are sent, by fields of their bodies; null: all of them. `student.removed` is sent whatever it says */
      filter: Record<string, never> | null;
      /** @description Names of the headers of its own that every request has; no answer shows their values */
      header_names: string[];
      /** @description At most so many attempts begin in a second, evenly spread; null: no limit of its own */
      max_per_second: number | null;
      /** @description At most so many attempts are under way at once, if the service makes as many; null: no limit of its own */
      max_in_flight: number | null;
      /** @description Attempts a second at most until what waited while it was paused has been sent; null when none waits */
      drain_rate: number | null;
      /**
       * Format: date-time
       * @description When it was registered
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When its settings, status or secret were changed last
       */
      updated_at: string;
      /** @description The key that signs what is sent, `whsec_` and base64. It is shown this once */
      secret: string;
    };
    /** @description An event as it is sent, and where it was sent */
    WebhookEvent: {
      /**
       * Format: uuid
       * @description Names the event: `webhook-id` of every attempt and `id` in the body
       */
      id: string;
      /** @description Which kind of fact it tells */
      type: components["schemas"]["EventType"];
      /** @description The student that the event is about; null: about none */
      student_id: string | null;
      /**
       * Format: date-time
       * @description When its body was assembled, some seconds after it happened
       */
      created_at: string;
      /** @description Whether the body exists no more: it is erased with its student, and else after 30 days */
      payload_purged: boolean;
      /**
       * @description The body as it is sent, with its envelope; null once it exists no more
       * @example {
       *       "id": "019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c",
       *       "type": "student.created",
       *       "occurred_at": "2026-04-01T09:30:00.000Z",
       *       "club_id": "6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10",
       *       "data": {
       *         "student": {
       *           "id": "01993f2a-7c00-7a10-8c4e-5b1d2f3a4c5d",
       *           "name": "Noel Rosa",
       *           "email": "noel@example.com",
       *           "verified": true,
       *           "created_at": "2026-03-02T13:05:41.120Z"
       *         },
       *         "origin": "sign_up"
       *       }
       *     }
       */
      payload: unknown;
      /** @description Its deliveries to every endpoint that wanted it, deleted ones too, oldest first */
      deliveries: components["schemas"]["WebhookDelivery"][];
      /** @description Why each of the deliveries that was not accepted was not */
      diagnoses: {
        /**
         * Format: uuid
         * @description One of the deliveries
         */
        delivery_id: string;
        /** @description Why it is not delivered */
        diagnosis: components["schemas"]["WebhookCause"];
      }[];
    };
    /** @description A type of event that can be sent to webhook endpoints */
    WebhookEventType: {
      /** @description The name by which endpoints list it */
      type: components["schemas"]["EventType"];
      /** @description When it is sent */
      description: string;
      /** @description The JSON Schema (draft 2020-12) of the whole body. Bodies may gain fields */
      schema: Record<string, never>;
      /** @description A whole body of this type */
      example: Record<string, never>;
    };
    /** @description What a filter makes of one event */
    WebhookFilterTest: {
      /** @description Whether the event would be sent */
      matches: boolean;
      /** @description Where the conditions stand without which it would be; empty if it is */
      failed: string[];
      /** @description Every condition about a field, as they are written */
      conditions: {
        /** @description Where it stands in the filter */
        place: string;
        /** @description The field that it is about */
        field: string;
        /** @description Whether the event has the field */
        present: boolean;
        /**
         * @description What the event has there, a text up to 500 characters; null also for lists, objects and nothing
         * @example 14950
         */
        value: unknown;
        /** @description Whether that meets the condition */
        matches: boolean;
      }[];
    };
    /** @description A grading of a receiver */
    WebhookGrading: {
      /**
       * Format: uuid
       * @description Names the grading
       */
      id: string;
      /**
       * Format: uuid
       * @description The endpoint that is graded
       */
      endpoint_id: string;
      /**
       * @description `running` until all probes are sent, minutes where answers are slow
       */
      status: "running" | "done" | "failed";
      /** @description Why there is no grade: the endpoint was changed or is not enabled, or the service stopped thrice */
      failure: ("endpoint_changed" | "interrupted") | null;
      /** @description From `A`, nothing is wrong, to `F`; null before it is done */
      grade: ("A" | "B" | "C" | "D" | "E" | "F") | null;
      /**
       * Format: date-time
       * @description When it was asked for
       */
      created_at: string;
      /** @description When it ended */
      finished_at: string | null;
    };
    /** @description A grading with its report */
    WebhookGradingDetail: {
      /**
       * Format: uuid
       * @description Names the grading
       */
      id: string;
      /**
       * Format: uuid
       * @description The endpoint that is graded
       */
      endpoint_id: string;
      /**
       * @description `running` until all probes are sent, minutes where answers are slow
       */
      status: "running" | "done" | "failed";
      /** @description Why there is no grade: the endpoint was changed or is not enabled, or the service stopped thrice */
      failure: ("endpoint_changed" | "interrupted") | null;
      /** @description From `A`, nothing is wrong, to `F`; null before it is done */
      grade: ("A" | "B" | "C" | "D" | "E" | "F") | null;
      /**
       * Format: date-time
       * @description When it was asked for
       */
      created_at: string;
      /** @description When it ended */
      finished_at: string | null;
      /** @description What was found; null before it is done */
      report: components["schemas"]["WebhookGradingReport"] | null;
    };
    /** @description What a receiver does wrong */
    WebhookGradingFinding: {
      /**
       * @description What is wrong, in one word
       */
      code: "not_reached" | "refuses_right_deliveries" | "redirects" | "verifies_nothing" | "accepts_wrong_signature" | "accepts_unsigned" | "accepts_other_body" | "accepts_old" | "accepts_future" | "signatures_unknown" | "refuses_repeated" | "refuses_reordered" | "breaks_on_unknown_fields" | "verifies_rewritten_json" | "refuses_large" | "refuses_rotated" | "lacks_newest_secret" | "no_answer_in_time" | "no_address" | "private_address" | "ends_connection" | "breaks_tls" | "breaks_http" | "slow" | "calls_first_repeated" | "forgets_repeats" | "was_busy" | "connections_not_reused";
      /**
       * @description `error`: events are lost or forged. `warning`: they may be. `advice` lowers no grade
       */
      severity: "error" | "warning" | "advice";
      /** @description The same in a sentence */
      message: string;
      /** @description What shows it */
      probes: components["schemas"]["WebhookProbe"][];
    };
    /** @description What came of one probe */
    WebhookGradingObservation: {
      /** @description Which one it was */
      probe: components["schemas"]["WebhookProbe"];
      /** @description The status that answered; null where none did */
      status_code: number | null;
      /** @description Why it failed; null for a 2xx */
      error: ("timeout" | "dns" | "connection" | "tls" | "address_not_allowed" | "redirect" | "http_status" | "protocol") | null;
      /** @description Milliseconds */
      duration_ms: number;
      /** @description Whether its connection was there before; null where that is not known */
      connection_reused: boolean | null;
      /** @description What `turma-seen`, `1` or `0`, said; null where it said nothing */
      seen: boolean | null;
      /** @description The start of the answer; null for none */
      response_body: string | null;
    };
    /** @description What probes have shown of a receiver */
    WebhookGradingReport: {
      /**
       * @description `B`: warnings. `C`, `D`: errors. `E`: forged events are accepted. `F`: nothing works
       */
      grade: "A" | "B" | "C" | "D" | "E" | "F";
      /**
       * @description `told` by `turma-seen: 1`, `forgets` by `0`: nothing else shows it
       */
      dedupes: "told" | "forgets" | "unknown";
      /**
       * @description During a rotation, whether it verifies what the newest secret alone signs
       */
      newest_secret: "proved" | "lacking" | "unknown";
      /** @description What is wrong, the worst first */
      findings: components["schemas"]["WebhookGradingFinding"][];
      /** @description What came of each probe, in their order */
      observations: components["schemas"]["WebhookGradingObservation"][];
    };
    /** @description An address of our own that shows what is sent to it */
    WebhookInbox: {
      /**
       * Format: uuid
       * @description Names the inbox
       */
      id: string;
      /**
       * Format: uri
       * @description Where it takes requests of any method. Anybody who knows it can write to it. A webhook endpoint of the club may have it
       */
      url: string;
      /** @description The status that it answers with, from 200 to 599; a 3xx leads nowhere */
      status: number;
      /** @description For how many milliseconds it waits before it answers, 20,000 at most */
      delay_ms: number;
      /** @description The `Retry-After` of its answers, in seconds; null for none */
      retry_after_seconds: number | null;
      /** @description How many requests it has taken, of which the newest 100 are kept */
      received: number;
      /**
       * Format: date-time
       * @description When it was made
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When it is gone with all it has taken: an hour after it was made
       */
      expires_at: string;
    };
    /** @description An event of an inbox's stream */
    WebhookInboxEvent: {
      /** @description The request's number */
      id?: string;
      /**
       * @description A request came
       */
      event: "request";
      data: components["schemas"]["WebhookInboxRequest"];
    };
    /** @description A header of a request */
    WebhookInboxHeader: {
      /** @description Its name, in lower case */
      name: string;
      /** @description Its value; `(sealed)` for one of an endpoint's own */
      value: string;
    };
    /** @description A request that an inbox has taken */
    WebhookInboxRequest: {
      /**
       * Format: uuid
       * @description Names the request
       */
      id: string;
      /** @description Which request of the inbox it was, from 1 on */
      number: number;
      /**
       * Format: date-time
       * @description When it came
       */
      received_at: string;
      /** @description The method of the request, in capitals */
      method: string;
      /** @description What followed the path, with its question mark; empty for nothing */
      query: string;
      /**
       * @description `engine`: a delivery of this service, handed over without a connection
       */
      source: "http" | "engine";
      /** @description Of its body; null for more than 65,536, which is not kept */
      size_bytes: number | null;
      /** @description The status that it was answered with: as told, or 413 */
      status: number;
      /** @description After how many milliseconds */
      delay_ms: number;
      /** @description Whether one that is kept came before it with the same `webhook-id` */
      repeated: boolean;
      /** @description What its `webhook-signature` is worth; null where it has none */
      signature: components["schemas"]["WebhookInboxSignature"] | null;
    };
    /** @description A request that an inbox has taken, with headers and body */
    WebhookInboxRequestDetail: {
      /**
       * Format: uuid
       * @description Names the request
       */
      id: string;
      /** @description Which request of the inbox it was, from 1 on */
      number: number;
      /**
       * Format: date-time
       * @description When it came
       */
      received_at: string;
      /** @description The method of the request, in capitals */
      method: string;
      /** @description What followed the path, with its question mark; empty for nothing */
      query: string;
      /**
       * @description `engine`: a delivery of this service, handed over without a connection
       */
      source: "http" | "engine";
      /** @description Of its body; null for more than 65,536, which is not kept */
      size_bytes: number | null;
      /** @description The status that it was answered with: as told, or 413 */
      status: number;
      /** @description After how many milliseconds */
      delay_ms: number;
      /** @description Whether one that is kept came before it with the same `webhook-id` */
      repeated: boolean;
      /** @description What its `webhook-signature` is worth; null where it has none */
      signature: components["schemas"]["WebhookInboxSignature"] | null;
      /** @description Its headers, without cookies and those of proxies */
      headers: components["schemas"]["WebhookInboxHeader"][];
      /** @description Its body as text; null where it was too large */
      body: string | null;
    };
    /** @description What a signature is worth, by the secrets of all endpoints of the club */
    WebhookInboxSignature: {
      /** @description Whether a receiver that knows the club's secrets would accept it */
      verified: boolean;
      /** @description Why it would not: `timestamp_off` is more than 5 minutes from our clock; null where it would */
      problem: ("header_missing" | "timestamp_malformed" | "timestamp_off" | "no_match") | null;
      /** @description Whose secret it fits; null for nobody's */
      endpoint_id: string | null;
      /** @description Which of the signatures in the header fits, from 1 on; null for none */
      position: number | null;
      /** @description Whether the newest secret has signed or one that was replaced; null for none */
      secret: ("newest" | "previous") | null;
      /** @description How many seconds our clock is ahead of its timestamp; null where that cannot be read */
      clock_seconds: number | null;
    };
    /** @description A delivery as a listener gets it */
    WebhookListenerDelivery: {
      /**
       * Format: uuid
       * @description Names the delivery, also under the endpoint of the same id as the listener
       */
      delivery_id: string;
      /**
       * Format: uuid
       * @description The event: `webhook-id` of every attempt and `id` in the body
       */
      event_id: string;
      /** @description Which attempt of the delivery this is, the first being 1 */
      attempt: number;
      /** @description Names the attempt: send it back with the result, as it is. A result counts once for its receipt */
      receipt: string;
      /** @description The headers of the request that an endpoint with an address would get now */
      headers: {
        /** @description What the body is */
        "content-type": string;
        /** @description Who sends it */
        "user-agent": string;
        /** @description The event's id */
        "webhook-id": string;
        /** @description When it was handed out, in Unix seconds */
        "webhook-timestamp": string;
        /** @description A signature for each secret and key that signs, newest first */
        "webhook-signature": string;
      };
      /** @description The body of that request; its bytes in UTF-8 are what is signed */
      body: string;
    };
    /** @description What would become of the events of an outage */
    WebhookOutage: {
      /** @description How many events there are in the outage */
      events: number;
      /** @description How many of them are delivered in the end */
      delivered: number;
      /** @description How many are given up after their last attempt has failed; recovering sends them */
      failed: number;
      /** @description How many are canceled as the endpoint is disabled; recovering sends them */
      canceled: number;
      /** @description How many wait for longer than deliveries may */
      expired: number;
      /** @description How many come once the endpoint is disabled, and are not kept for it */
      not_kept: number;
      /** @description How many later events wait, since the endpoint is still held */
      delayed_after: number;
      /** @description How many attempts are made */
      attempts: number;
      /** @description When the last of them is delivered; null where none is */
      last_delivered_at: string | null;
      /** @description How long those that are delivered take; null where none is */
      delay: {
        /** @description How long half of them took at most */
        p50_seconds: number | null;
        /** @description How long 95 of 100 took at most */
        p95_seconds: number | null;
        /** @description How long the slowest took */
        max_seconds: number | null;
      };
      /** @description From when on one attempt is made at a time; null where that never happens */
      held_from: string | null;
      /** @description When an attempt ends that; null where that never happens */
      held_until: string | null;
      /** @description When the endpoint is disabled for failing; null where that does not happen */
      disabled_at: string | null;
      /** @description When they are delivered: up to 48 equal stretches, from the beginning to the last */
      landings: {
        /**
         * Format: date-time
         * @description When this stretch begins
         */
        at: string;
        /** @description How many are delivered in it */
        delivered: number;
      }[];
      /** @description Up to 20 of them, from the first to the last */
      sample: {
        /**
         * Format: date-time
         * @description When the event comes
         */
        created_at: string;
        /** @description When each attempt begins */
        attempts: string[];
        /**
         * @description What becomes of it
         */
        outcome: "delivered" | "failed" | "canceled" | "expired";
        /**
         * Format: date-time
         * @description When that is decided
         */
        ended_at: string;
      }[];
    };
    /**
     * @description A probe, as in the guide to receivers
     */
    WebhookProbe: "right" | "repeated" | "later_first" | "earlier_second" | "unknown_fields" | "unusual_json" | "large" | "rotated" | "newest_alone" | "unsigned" | "wrong_signature" | "other_body" | "old" | "future";
    /** @description A key to verify `v1a` signatures with */
    WebhookPublicKey: {
      /** @description An Ed25519 key, `whpk_` and base64 of its 32 bytes */
      public_key: string;
      /** @description When it signs no more, since it was replaced; null for the newest one */
      ends_at: string | null;
    };
    /** @description What recovering would send again, and what it would not */
    WebhookRecoverable: {
      /** @description How many deliveries would be sent again */
      total: number;
      /** @description How many of those failed */
      failed: number;
      /** @description How many of those were canceled while the endpoint was disabled */
      endpoint_disabled: number;
      /** @description How many others failed or were canceled since then, and stay as they are */
      left_out: {
        /** @description Canceled because their student was removed */
        student_removed: number;
        /** @description Canceled because they waited for 30 days */
        expired: number;
        /** @description Failed, or canceled by disabling, and without a body by now */
        payload_purged: number;
      };
      /** @description When the first of those to be sent was created; null without any */
      oldest_created_at: string | null;
      /** @description When the last of those to be sent was created; null without any */
      newest_created_at: string | null;
      /** @description Whether counting stopped after 100,000, the oldest: more may follow, which recovering sends too */
      capped: boolean;
    };
    /** @description Sending again, as a job, what an endpoint did not accept. Kept for 90 days */
    WebhookRecovery: {
      /**
       * Format: uuid
       * @description Names the recovery. Later ones have greater ids
       */
      id: string;
      /**
       * Format: uuid
       * @description Where it sends
       */
      endpoint_id: string;
      /**
       * @description `counting` what would be sent, `previewed` until it is started, `running`, `paused` by a person, and in the end `completed` or `canceled`
       */
      status: "counting" | "previewed" | "running" | "paused" | "completed" | "canceled";
      /** @description A person, a later recovery before this one was started, or its endpoint, which went away; null unless it is canceled */
      cancel_reason: ("requested" | "replaced" | "endpoint_disabled" | "endpoint_deleted") | null;
      /** @description What a running one waits for: the endpoint is paused, or held after failures; null while it moves on */
      blocked_by: ("endpoint_paused" | "endpoint_held") | null;
      /**
       * Format: date-time
       * @description It sends what was created at this moment or later
       */
      since: string;
      /** @description It sends what was created before this moment; null: whatever had ended by `created_at` */
      until: string | null;
      /** @description Of which types; null: of all */
      event_types: components["schemas"]["EventType"][] | null;
      /**
       * @description What is sent first
       */
      order: "oldest" | "newest";
      /** @description How many a second at most; null: as fast as the receiver takes them */
      rate: number | null;
      /** @description What was counted; so far, while it is counting */
      preview: components["schemas"]["WebhookRecoveryPreview"];
      /** @description How far it is */
      progress: {
        /** @description How many deliveries were made pending for their one attempt */
        moved: number;
        /** @description How many of those still wait for it */
        waiting: number;
        /** @description How many of those were accepted */
        succeeded: number;
        /** @description How many of those were not */
        failed: number;
        /** @description How many of those were canceled before their attempt */
        canceled: number;
        /** @description How many of the preview are not moved yet */
        remaining: number;
        /** @description How many of the preview were not there any more, as where their student was removed; 0 before the end */
        skipped: number;
      };
      /**
       * Format: uuid
       * @description The member who made it, or for whom a key did
       */
      created_by: string;
      /**
       * Format: date-time
       * @description When it was made
       */
      created_at: string;
      /** @description When it was started first; null before */
      started_at: string | null;
      /** @description When it was completed or canceled; null before */
      finished_at: string | null;
    };
    /** @description What a recovery would send, and what it would not */
    WebhookRecoveryPreview: {
      /** @description How many would be sent */
      total: number;
      /** @description How many of those failed */
      failed: number;
      /** @description How many of those were canceled while the endpoint was disabled */
      endpoint_disabled: number;
      /** @description By type, in the order of their names */
      by_type: {
        /** @description Which kind of fact they tell */
        event_type: components["schemas"]["EventType"];
        /** @description How many would be sent */
        count: number;
      }[];
      /** @description By age: the days on which they were created, oldest first */
      by_day: {
        /** @description The day in the club's time zone */
        date: string;
        /** @description How many of those that were created on it would be sent */
        count: number;
      }[];
      /** @description How many others there are, which stay as they are, and why */
      left_out: {
        /** @description Canceled because their student was removed */
        student_removed: number;
        /** @description Canceled because they waited for 30 days */
        expired: number;
        /** @description Failed, or canceled by disabling, and without a body by now */
        payload_purged: number;
      };
    };
    /** @description The headers of an attempt as they were sent, but for the endpoint's own */
    WebhookRequestHeaders: {
      /** @description That the body is JSON */
      "content-type": string;
      /** @description Who sends */
      "user-agent": string;
      /**
       * Format: uuid
       * @description The event
       */
      "webhook-id": string;
      /** @description When it was signed, in Unix seconds */
      "webhook-timestamp": string;
      /** @description A signature for each secret and key that signed, newest first */
      "webhook-signature": string;
    };
    /** @description What became of an endpoint's attempts, step by step */
    WebhookSeries: {
      /**
       * Format: date-time
       * @description When the first step begins
       */
      from: string;
      /**
       * Format: date-time
       * @description Now: the last step is not over yet
       */
      until: string;
      /**
       * @description How long a step is: a day for `30d`, else an hour
       */
      step: "hour" | "day";
      /** @description Every step, oldest first, also where nothing was sent */
      points: components["schemas"]["WebhookSeriesPoint"][];
    };
    /** @description What became of the attempts of one hour or one day */
    WebhookSeriesPoint: {
      /**
       * Format: date-time
       * @description When the step begins: an hour or a day of the club's time zone
       */
      at: string;
      /** @description How many attempts were accepted */
      succeeded: number;
      /** @description How many attempts failed; most of them are made again later */
      failed: number;
      /** @description How many deliveries failed for good with one of those */
      given_up: number;
      /** @description How many attempts ended: succeeded and failed together */
      attempts: number;
      /** @description What half of the attempts took at most, in milliseconds, estimated from counts by steps: off by up to a half */
      p50_ms: number | null;
      /** @description What 95 of 100 took at most, estimated in the same way; both are null where none ended */
      p95_ms: number | null;
    };
    /** @description What has become of the deliveries that were created in a window, and how fast the receiver answers */
    WebhookStats: {
      /**
       * @description How far back was counted, from now
       */
      window: "24h" | "7d";
      /** @description Whether there are more than 100,000, of which the newest are counted */
      capped: boolean;
      /** @description How many were accepted */
      succeeded: number;
      /** @description How many were given up after their last attempt had failed */
      failed: number;
      /** @description How many were canceled before they were accepted */
      canceled: number;
      /** @description How many have an attempt to come */
      pending: number;
      /** @description What half of the latest attempts took at most, in milliseconds; null where none was made */
      p50_ms: number | null;
      /** @description What 95 of 100 of the latest attempts took at most, in milliseconds; null where none was made */
      p95_ms: number | null;
    };
  };
  parameters: {
    /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
    limit: number;
    /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
    cursor: string;
    /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
    "Idempotency-Key": string;
    /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
    clubId: string;
    /** @description The `id` of a member of the club */
    userId: string;
    /** @description A key of the club */
    keyId: string;
    /** @description Only what was done by this key */
    key_id: string;
    /** @description The `ETag` of the answer that one has, or several of them: where it still holds, 304 and no body */
    "If-None-Match": string;
    /** @description Which points count: those of today and the 6 or 29 days before, in the club's time zone, or all; `all` unless sent */
    period: "7d" | "30d" | "all";
    /** @description The `id` of a student of the club, removed ones included */
    studentId: string;
    /** @description The `id` of a space of the community */
    spaceId: string;
    /** @description `true`: only the pinned posts. Unless it is sent, or with `false`: all */
    pinned: "true" | "false";
    /** @description The `id` of a post in a space that whoever asks sees */
    postId: string;
    /** @description The `id` of a post that whoever asks sees */
    "postId-1": string;
    /** @description Which comments: `unanswered` are first comments of students without an answer, `reported` those that a student told the staff of. `all`, as when it is absent, has deleted ones too, no other has */
    state: "all" | "pending" | "spam" | "hidden" | "unanswered" | "reported";
    /** @description Only comments on this lesson */
    lesson_id: string;
    /** @description Only comments on this post */
    post_id: string;
    /** @description The `id` of a comment or a reply that whoever asks sees */
    commentId: string;
    /** @description The `public_id` of a live lesson of a course that the student has */
    publicId: string;
    /** @description Exactly one emoji, encoded as URLs are */
    emoji: string;
    /** @description The `id` of a live that was not deleted */
    liveId: string;
    /** @description The `id` of a delivery of the club */
    deliveryId: string;
    /** @description The `id` of a cohort of the delivery */
    cohortId: string;
    /** @description The `id` of a registration link of the club */
    linkId: string;
    /** @description The `id` of a course of the club */
    courseId: string;
    /** @description The `id` of a module of one of the club's courses */
    moduleId: string;
    /** @description The `id` of a lesson, not its `public_id` */
    lessonId: string;
    /** @description The `id` of a block of one of the club's lessons */
    blockId: string;
    /** @description The `id` of a repository, not its `public_id` */
    repositoryId: string;
    /** @description The `id` of a file in the repository, not of its media record */
    fileId: string;
    /** @description The `public_id` of a repository that the student has */
    "publicId-1": string;
    /** @description The `id` of a media record of the library */
    mediaId: string;
    /** @description `true`: a browser shows images, videos, sound and PDF, instead of saving them as it does unless this is sent */
    inline: "true" | "false";
    /** @description The `id` of a folder of the library */
    folderId: string;
    /** @description The `id` of a media record whose upload the student began */
    "mediaId-1": string;
    /** @description The `id` of a mentorship file; media of the library are not among them */
    "mediaId-2": string;
    /** @description The `public_id` of a live lesson of a course that the student has */
    "publicId-2": string;
    /** @description The `id` of an assignment in a live lesson of a course that the student has */
    "blockId-1": string;
    /** @description The `id` of a submission of a student of the club */
    submissionId: string;
    /** @description The `id` of a conversation of the student's with the assistant */
    conversationId: string;
    /** @description The `id` of a question of the student's, or of an answer to one */
    messageId: string;
    /** @description The `id` of an enrollment of a student of the club */
    enrollmentId: string;
    /** @description The `id` of a student of the club */
    "studentId-1": string;
    /** @description The `id` of an import of the club */
    importId: string;
    /** @description The `id` of a support conversation, for a student one of their own */
    "conversationId-1": string;
    /** @description The address of the club */
    inboundWebhookId: string;
    /** @description Only events with this outcome; `pending` are those that wait for theirs */
    outcome: "processed" | "ignored" | "duplicate" | "unmapped" | "failed" | "pending";
    /** @description What came in */
    inboundEventId: string;
    /** @description The product mapping */
    mappingId: string;
    /** @description The endpoint; 404 once it is deleted */
    endpointId: string;
    /** @description How far back: a day or seven by the hour, or 30 days by the day. A day unless it is said */
    window: "24h" | "7d" | "30d";
    /** @description Only deliveries with this status */
    status: "pending" | "succeeded" | "failed" | "canceled";
    /** @description Only deliveries of events of this type */
    event_type: components["schemas"]["EventType"];
    /** @description Only deliveries created at this moment or later */
    since: string;
    /** @description Only deliveries created before this moment */
    until: string;
    /** @description Only deliveries of events about this student */
    student_id: string;
    /** @description Only deliveries of this event */
    event_id: string;
    /** @description Only deliveries to this endpoint, which may be deleted by now */
    endpoint_id: string;
    /** @description The delivery, which is to this endpoint */
    "deliveryId-1": string;
    /** @description The recovery, which is of this endpoint */
    recoveryId: string;
    /** @description The listener; 404 once it is deleted */
    listenerId: string;
    /** @description The inbox; 404 once its hour is over */
    inboxId: string;
    /** @description Where to begin: behind this `cursor` of a page or an event, or `latest`, behind all there are */
    after: string;
    /** @description Without `after`: begin with what was assembled at this moment or later; else with the oldest kept */
    "since-1": string;
    /** @description Only events of this type */
    type: components["schemas"]["EventType"];
    /** @description Only events about this student */
    "student_id-1": string;
  };
}
export interface operations {
  "health.live": {
    parameters: {
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /**
               * @description Always `ok`: a process that does not run does not answer
               */
              status: "ok";
              /** @description The version of the service */
              version: string;
            };
          };
        };
      };
    };
  };
  "health.ready": {
    parameters: {
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /**
               * @description `ready`: every check is ok. `unavailable`: the database does not answer. `degraded`: another check is failing
               */
              status: "ready" | "degraded" | "unavailable";
              /** @description What was looked at. A check that has not ended after 2 seconds is failing */
              checks: {
                /**
                 * @description Whether the database answers within 2 seconds
                 */
                database: "ok" | "failing";
                /**
                 * @description Whether requests are counted against their limits. While not, writes pass uncounted, and what takes credentials may answer 503 `rate_limit_unavailable`
                 */
                limiter: "ok" | "failing";
                /**
                 * @description Whether no mail, event, webhook delivery or sale has been due for 5 minutes or longer
                 */
                queue: "ok" | "failing";
                /**
                 * @description Whether the process's clock agrees with the database's and has made no jump of more than a day
                 */
                clock: "ok" | "failing";
                /**
                 * @description Whether all that had to be opened in the last 5 minutes opened with the keys of its process
                 */
                seals: "ok" | "failing";
                /**
                 * @description With a replica for lists: whether it has caught up within a second
                 */
                replica?: "ok" | "failing";
              };
            };
          };
        };
      };
    };
  };
  "adminAuth.signUp": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The person's name, of 1 to 200 characters */
          name: string;
          /**
           * Format: email
           * @description The e-mail address of the account, of up to 320 characters, in any case of letters
           */
          email: string;
          /**
           * Format: password
           * @description The password to have from now on: 8 to 1024 characters of any kind
           */
          password: string;
        };
      };
    };
    responses: {
      /** @description Success */
      202: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /**
               * @description Always true, whether or not the address has an account: what happens next is in the mail
               * @enum {boolean}
               */
              accepted: true;
            };
          };
        };
      };
    };
  };
  "adminAuth.confirm": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The secret at the end of the mailed link, of 1 to 200 characters; it works once */
          token: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /**
               * @description Always true: the address is proven, and the account may sign in
               * @enum {boolean}
               */
              verified: true;
            };
          };
        };
      };
    };
  };
  "adminAuth.resendConfirmation": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: email
           * @description The e-mail address of the account, of up to 320 characters, in any case of letters
           */
          email: string;
        };
      };
    };
    responses: {
      /** @description Success */
      202: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /**
               * @description Always true, whether or not the address has an account: what happens next is in the mail
               * @enum {boolean}
               */
              accepted: true;
            };
          };
        };
      };
    };
  };
  "adminAuth.signIn": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: email
           * @description The e-mail address of the account, of up to 320 characters, in any case of letters
           */
          email: string;
          /**
           * Format: password
           * @description The password as it is at present, of up to 1024 characters
           */
          password: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Grant"];
          };
        };
      };
    };
  };
  "adminAuth.access": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: email
           * @description The e-mail address of the account, of up to 320 characters, in any case of letters
           */
          email: string;
        };
      };
    };
    responses: {
      /** @description Success */
      202: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /**
               * @description Always true, whether or not the address has an account: what happens next is in the mail
               * @enum {boolean}
               */
              accepted: true;
            };
          };
        };
      };
    };
  };
  "adminAuth.exchange": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The code that was mailed, of 1 to 200 characters; it works once, for 15 minutes */
          code: string;
          /**
           * Format: email
           * @description The address that the code was mailed to, as the person enters it. With it, a code of another address is refused and stays unused. An app that signs in by a link asks for it: otherwise somebody else's link would sign the person in to their account
           */
          email?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Grant"];
          };
        };
      };
    };
  };
  "adminAuth.forgotPassword": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: email
           * @description The e-mail address of the account, of up to 320 characters, in any case of letters
           */
          email: string;
        };
      };
    };
    responses: {
      /** @description Success */
      202: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /**
               * @description Always true, whether or not the address has an account: what happens next is in the mail
               * @enum {boolean}
               */
              accepted: true;
            };
          };
        };
      };
    };
  };
  "adminAuth.resetPassword": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The secret at the end of the mailed link, of 1 to 200 characters; it works once, for an hour */
          token: string;
          /**
           * Format: password
           * @description The password to have from now on: 8 to 1024 characters of any kind
           */
          password: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /**
               * @description Always true: the new password is in force, and every session has ended
               * @enum {boolean}
               */
              reset: true;
            };
          };
        };
      };
    };
  };
  "studentAuth.signUp": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: uuid
           * @description The public id of the club in which the person is or becomes a student
           */
          club_id: string;
          /** @description The person's name, of 1 to 200 characters */
          name: string;
          /**
           * Format: email
           * @description The e-mail address of the account, of up to 320 characters, in any case of letters
           */
          email: string;
          /**
           * Format: password
           * @description The password to have from now on: 8 to 1024 characters of any kind
           */
          password: string;
          /** @description The `code` of a registration link of the club, of 1 to 64 characters: a closed club lets nobody in without one. The new student gets the link's delivery */
          registration_code?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      202: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /**
               * @description Always true, whether or not the address has an account: what happens next is in the mail
               * @enum {boolean}
               */
              accepted: true;
            };
          };
        };
      };
    };
  };
  "studentAuth.confirm": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The secret at the end of the mailed link, of 1 to 200 characters; it works once */
          token: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /**
               * @description Always true: the address is proven, and the account may sign in
               * @enum {boolean}
               */
              verified: true;
            };
          };
        };
      };
    };
  };
  "studentAuth.resendConfirmation": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: uuid
           * @description The public id of the club in which the person is or becomes a student
           */
          club_id: string;
          /**
           * Format: email
           * @description The e-mail address of the account, of up to 320 characters, in any case of letters
           */
          email: string;
        };
      };
    };
    responses: {
      /** @description Success */
      202: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /**
               * @description Always true, whether or not the address has an account: what happens next is in the mail
               * @enum {boolean}
               */
              accepted: true;
            };
          };
        };
      };
    };
  };
  "studentAuth.signIn": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: uuid
           * @description The public id of the club in which the person is or becomes a student
           */
          club_id: string;
          /**
           * Format: email
           * @description The e-mail address of the account, of up to 320 characters, in any case of letters
           */
          email: string;
          /**
           * Format: password
           * @description The password as it is at present, of up to 1024 characters
           */
          password: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Grant"];
          };
        };
      };
    };
  };
  "studentAuth.access": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: uuid
           * @description The public id of the club in which the person is or becomes a student
           */
          club_id: string;
          /**
           * Format: email
           * @description The e-mail address of the account, of up to 320 characters, in any case of letters
           */
          email: string;
        };
      };
    };
    responses: {
      /** @description Success */
      202: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /**
               * @description Always true, whether or not the address has an account: what happens next is in the mail
               * @enum {boolean}
               */
              accepted: true;
            };
          };
        };
      };
    };
  };
  "studentAuth.exchange": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The code that was mailed, of 1 to 200 characters; it works once, for 15 minutes */
          code: string;
          /**
           * Format: email
           * @description The address that the code was mailed to, as the person enters it. With it, a code of another address is refused and stays unused. An app that signs in by a link asks for it: otherwise somebody else's link would sign the person in to their account
           */
          email?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Grant"];
          };
        };
      };
    };
  };
  "studentAuth.forgotPassword": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: uuid
           * @description The public id of the club in which the person is or becomes a student
           */
          club_id: string;
          /**
           * Format: email
           * @description The e-mail address of the account, of up to 320 characters, in any case of letters
           */
          email: string;
        };
      };
    };
    responses: {
      /** @description Success */
      202: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /**
               * @description Always true, whether or not the address has an account: what happens next is in the mail
               * @enum {boolean}
               */
              accepted: true;
            };
          };
        };
      };
    };
  };
  "studentAuth.resetPassword": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The secret at the end of the mailed link, of 1 to 200 characters; it works once, for an hour */
          token: string;
          /**
           * Format: password
           * @description The password to have from now on: 8 to 1024 characters of any kind
           */
          password: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /**
               * @description Always true: the new password is in force, and every session has ended
               * @enum {boolean}
               */
              reset: true;
            };
          };
        };
      };
    };
  };
  "passwords.changeAdminPassword": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: password
           * @description The password as it is at present, of up to 1024 characters
           */
          current_password: string;
          /**
           * Format: password
           * @description The password to have from now on: 8 to 1024 characters of any kind
           */
          password: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /**
               * @description Always true: the new password is in force, and every other session has ended
               * @enum {boolean}
               */
              changed: true;
            };
          };
        };
      };
    };
  };
  "passwords.changeStudentPassword": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: password
           * @description The password as it is at present, of up to 1024 characters
           */
          current_password: string;
          /**
           * Format: password
           * @description The password to have from now on: 8 to 1024 characters of any kind
           */
          password: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /**
               * @description Always true: the new password is in force, and every other session has ended
               * @enum {boolean}
               */
              changed: true;
            };
          };
        };
      };
    };
  };
  "sessions.current": {
    parameters: {
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /** @description The session that asks */
              session: components["schemas"]["Session"];
              /** @description Whose session it is */
              account: {
                /**
                 * Format: uuid
                 * @description The `id` of the administrator, or of the student in their club
                 */
                id: string;
                /** @description The person's name */
                name: string;
                /**
                 * Format: email
                 * @description Their e-mail address
                 */
                email: string;
                /** @description Whether a mailed link has proven the address */
                verified: boolean;
              };
              /** @description The public id of the student's club; null for an administrator, who may belong to several */
              club_id: string | null;
            };
          };
        };
      };
    };
  };
  "sessions.end": {
    parameters: {
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "sessions.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["Session"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "sessions.endOthers": {
    parameters: {
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "sessions.endOne": {
    parameters: {
      path: {
        /** @description The `id` of a session in the list of one's own */
        id: string;
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "account.me": {
    parameters: {
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Me"];
          };
        };
      };
    };
  };
  "account.updateMe": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The person's name, of 1 to 200 characters; unchanged without it */
          name?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Me"];
          };
        };
      };
    };
  };
  "account.createClub": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What people call the club, in 1 to 120 characters */
          name: string;
          /** @description A short name for addresses that no other club has: up to 60 lower-case letters, digits and single hyphens. Made of the name where none is sent */
          slug?: string;
          /** @description Where the club's day starts and ends, as an IANA name: limits and rankings that count days count them there. UTC unless said otherwise */
          time_zone?: string;
          /**
           * @description The language of the club's mails, and of what it starts with. English unless said otherwise
           */
          locale?: "pt-BR" | "en";
          /** @description Whether anyone may sign up as a student. A closed club asks for the code of a registration link. True unless said otherwise */
          sign_up_open?: boolean;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Club"];
          };
        };
      };
    };
  };
  "account.acceptInvitation": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The secret at the end of the mailed link, of 1 to 200 characters; it works once */
          token: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /**
               * Format: uuid
               * @description The public id of the club that was joined
               */
              organization_id: string;
              /**
               * @description What they may do in the club: `owner` and `admin` everything, `editor` content and community, `support` students and conversations, `viewer` only read
               */
              role: "owner" | "admin" | "editor" | "support" | "viewer";
            };
          };
        };
      };
    };
  };
  "clubs.listMembers": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["Member"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "clubs.removeMember": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a member of the club */
        userId: components["parameters"]["userId"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "clubs.updateMember": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a member of the club */
        userId: components["parameters"]["userId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description What they may do in the club: `owner` and `admin` everything, `editor` content and community, `support` students and conversations, `viewer` only read. No higher than the role of whoever asks
           */
          role: "owner" | "admin" | "editor" | "support" | "viewer";
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Member"];
          };
        };
      };
    };
  };
  "clubs.listInvitations": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["Invitation"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "clubs.invite": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: email
           * @description The address that the invitation is mailed to, of up to 320 characters
           */
          email: string;
          /**
           * @description What they may do in the club: `owner` and `admin` everything, `editor` content and community, `support` students and conversations, `viewer` only read. No higher than the role of whoever asks
           */
          role: "owner" | "admin" | "editor" | "support" | "viewer";
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Invitation"];
          };
        };
      };
    };
  };
  "clubs.withdrawInvitation": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of an open invitation */
        invitationId: string;
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "clubs.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Club"];
          };
        };
      };
    };
  };
  "clubs.update": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What people call the club, in 1 to 120 characters; unchanged without it */
          name?: string;
          /** @description A short name for addresses that no other club has: up to 60 lower-case letters, digits and single hyphens; unchanged without it */
          slug?: string;
          /** @description Where the club's day starts and ends, as an IANA name: limits and rankings that count days count them there; unchanged without it */
          time_zone?: string;
          /**
           * @description The language of the club's mails, and of what it starts with; unchanged without it
           */
          locale?: "pt-BR" | "en";
          /** @description Whether anyone may sign up as a student. A closed club asks for the code of a registration link; unchanged without it */
          sign_up_open?: boolean;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Club"];
          };
        };
      };
    };
  };
  "keys.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["ClubKey"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "keys.create": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What the key is for, as its club calls it, of 1 to 80 characters */
          name: string;
          /**
           * @description The role that the key acts in: `admin` does everything that a key may, `editor` content and community, `support` students and conversations, `viewer` only reads. With scopes as well, it may what both allow; `admin` where it is left out
           */
          role?: "admin" | "editor" | "support" | "viewer";
          /** @description Areas of the API, each with `:read`, which reads, or `:write`, which reads and writes. Without, it may all that its role may */
          scopes?: components["schemas"]["KeyScope"][];
          /** @description The networks in CIDR notation that it may be used from; none where it may be used from everywhere. At most 20 */
          allowed_networks?: string[];
          /** @description When it shall end by itself, in the future; null or left out if it shall not */
          expires_at?: string | null;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["ClubKeyWithToken"];
          };
        };
      };
    };
  };
  "keys.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description A key of the club */
        keyId: components["parameters"]["keyId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["ClubKey"];
          };
        };
      };
    };
  };
  "keys.revoke": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description A key of the club */
        keyId: components["parameters"]["keyId"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "keys.update": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description A key of the club */
        keyId: components["parameters"]["keyId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What the key is for, as its club calls it, of 1 to 80 characters */
          name?: string;
          /** @description The networks in CIDR notation that it may be used from; none where it may be used from everywhere. At most 20 */
          allowed_networks?: string[];
          /** @description When it shall end by itself, in the future; null if it shall not */
          expires_at?: string | null;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["ClubKey"];
          };
        };
      };
    };
  };
  "keys.rotate": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description A key of the club */
        keyId: components["parameters"]["keyId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["ClubKeyWithToken"];
          };
        };
      };
    };
  };
  "keys.adopt": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description A key of the club */
        keyId: components["parameters"]["keyId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["ClubKey"];
          };
        };
      };
    };
  };
  "keys.approveDevice": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The code that the terminal shows, of 1 to 20 characters, in capitals or not */
          user_code: string;
          /**
           * @description The role that its key shall act in
           */
          role: "admin" | "editor" | "support" | "viewer";
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["ApprovedDevice"];
          };
        };
      };
    };
  };
  "ownKey.get": {
    parameters: {
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["OwnKey"];
          };
        };
      };
    };
  };
  "ownKey.revoke": {
    parameters: {
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "devices.begin": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What the key shall be called in the club's list, of 1 to 80 characters */
          name: string;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["DeviceLogin"];
          };
        };
      };
    };
  };
  "devices.redeem": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What the terminal keeps for itself and gets its key with, once, of 1 to 200 characters */
          device_code: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["DeviceKey"];
          };
        };
      };
    };
  };
  "auditLog.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
        /** @description Only what this administrator did, or keys that acted for them */
        user_id?: string;
        /** @description Only what was done by this key */
        key_id?: components["parameters"]["key_id"];
        /** @description Only what is about this student */
        student_id?: string;
        /** @description Only this operation, by its `operationId` */
        operation?: string;
        /** @description Only what was done, or only what was refused */
        outcome?: "done" | "refused";
        /** @description Only what came at this time or later */
        since?: string;
        /** @description Only what came before this time */
        until?: string;
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["AuditEntry"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "auditLog.reads": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
        /** @description Only what was done by this key */
        key_id?: components["parameters"]["key_id"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["AuditReads"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "gamification.read": {
    parameters: {
      header?: {
        /** @description The `ETag` of the answer that one has, or several of them: where it still holds, 304 and no body */
        "If-None-Match"?: components["parameters"]["If-None-Match"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Gamification"];
          };
        };
      };
    };
  };
  "gamification.update": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Whether actions pay points. While it is off nothing is earned, nor paid later, and students see no ranking */
          enabled?: boolean;
          /** @description Whether students see the ranking; points and levels go on without it, and the staff sees it always */
          ranking_visible?: boolean;
          /** @description The rules that change, each action at most once; those of other actions stay */
          rules?: {
            /**
             * @description What a student does: each lesson, course, quiz, assignment, comment, post and live pays once
             */
            action: "lesson_completed" | "course_completed" | "quiz_passed" | "assignment_approved" | "comment_posted" | "post_published" | "live_attended";
            /** @description How many points the action pays; 0 switches it off */
            points: number;
          }[];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Gamification"];
          };
        };
      };
    };
  };
  "gamification.replaceLevels": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The whole ladder, in any order. One level has `min_points` 0; those that are not sent are deleted */
          levels: components["schemas"]["LevelInput"][];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Gamification"];
          };
        };
      };
    };
  };
  "gamification.spread": {
    parameters: {
      query?: {
        /** @description The points of the 2 to 12 levels of another ladder, to see who would move; 0 is one of them */
        min_points?: string;
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["LevelSpread"];
          };
        };
      };
    };
  };
  "gamification.ranking": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
        /** @description Which points count: those of today and the 6 or 29 days before, in the club's time zone, or all; `all` unless sent */
        period?: components["parameters"]["period"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["RankingEntry"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "gamification.statement": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a student of the club, removed ones included */
        studentId: components["parameters"]["studentId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["PointStatement"];
            /** @description What to send as `cursor` for the next page; null on the last one */
            next_cursor: string | null;
          };
        };
      };
    };
  };
  "gamification.adjust": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a student of the club, removed ones included */
        studentId: components["parameters"]["studentId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description How many points to give or, below 0, to take; never 0 */
          points: number;
          /** @description Why, for the staff to read in the student's statement */
          reason: string;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["PointEntry"];
          };
        };
      };
    };
  };
  "gamification.standing": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["StudentStanding"];
          };
        };
      };
    };
  };
  "gamification.classroomRanking": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
        /** @description Which points count: those of today and the 6 or 29 days before, in the club's time zone, or all; `all` unless sent */
        period?: components["parameters"]["period"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The page's students, the most points first */
            data: components["schemas"]["RankingEntry"][];
            /** @description The student who asks, the same on every page */
            me: components["schemas"]["OwnRank"];
            /** @description What to send as `cursor` for the next page, with the same `period`; null on the last one */
            next_cursor: string | null;
          };
        };
      };
    };
  };
  "community.read": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Community"];
          };
        };
      };
    };
  };
  "community.update": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What the community is called */
          name?: string;
          /** @description What students read about the community; may be empty */
          description?: string;
          /** @description Any time publishes the community at once, one in the future too: it is no schedule. Null hides it from every student */
          published_at?: string | null;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Community"];
          };
        };
      };
    };
  };
  "community.createSpace": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What the space is called */
          name: string;
          /** @description What the space is for; may be empty, as it is unless it is sent */
          description?: string;
          /**
           * @description Which students may enter: `community` all of the club, `delivery` those with a delivery that contains the community. `community` unless it is sent
           */
          access?: "community" | "delivery";
          /**
           * @description `hidden` keeps the space from all students; `members` and `public` show it to those who may enter, and differ as a mark alone. `members` unless it is sent
           */
          visibility?: "members" | "public" | "hidden";
          /**
           * @description Who may post: `members` students and staff, `staff` the staff alone. Students comment in both. `members` unless it is sent
           */
          posting?: "members" | "staff";
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Space"];
          };
        };
      };
    };
  };
  "community.orderSpaces": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The `id` of everything in the list, each exactly once, first to last */
          ids: string[];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Community"];
          };
        };
      };
    };
  };
  "community.archiveSpace": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a space of the community */
        spaceId: components["parameters"]["spaceId"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "community.updateSpace": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a space of the community */
        spaceId: components["parameters"]["spaceId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What the space is called */
          name?: string;
          /** @description What the space is for; may be empty */
          description?: string;
          /**
           * @description Which students may enter: `community` all of the club, `delivery` those with a delivery that contains the community
           */
          access?: "community" | "delivery";
          /**
           * @description `hidden` keeps the space from all students; `members` and `public` show it to those who may enter, and differ as a mark alone
           */
          visibility?: "members" | "public" | "hidden";
          /**
           * @description Who may post: `members` students and staff, `staff` the staff alone. Students comment in both
           */
          posting?: "members" | "staff";
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Space"];
          };
        };
      };
    };
  };
  "classroomCommunity.read": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Community"];
          };
        };
      };
    };
  };
  "classroomPosts.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
        /** @description `true`: only the pinned posts. Unless it is sent, or with `false`: all */
        pinned?: components["parameters"]["pinned"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a space of the community */
        spaceId: components["parameters"]["spaceId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["Post"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "classroomPosts.create": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a space of the community */
        spaceId: components["parameters"]["spaceId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What stands above it; null, as when it is absent, for nothing */
          title?: string | null;
          /** @description The words */
          body: string;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Post"];
          };
        };
      };
    };
  };
  "classroomPosts.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a post in a space that whoever asks sees */
        postId: components["parameters"]["postId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Post"];
          };
        };
      };
    };
  };
  "classroomPosts.remove": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a post in a space that whoever asks sees */
        postId: components["parameters"]["postId"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "classroomPosts.update": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a post in a space that whoever asks sees */
        postId: components["parameters"]["postId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What stands above it; null takes it away. The author's alone to change */
          title?: string | null;
          /** @description The words, which are the author's alone to change */
          body?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Post"];
          };
        };
      };
    };
  };
  "posts.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
        /** @description `true`: only the pinned posts. Unless it is sent, or with `false`: all */
        pinned?: components["parameters"]["pinned"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a space of the community */
        spaceId: components["parameters"]["spaceId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["Post"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "posts.create": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a space of the community */
        spaceId: components["parameters"]["spaceId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What stands above it; null, as when it is absent, for nothing */
          title?: string | null;
          /** @description The words */
          body: string;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Post"];
          };
        };
      };
    };
  };
  "posts.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a post in a space that whoever asks sees */
        postId: components["parameters"]["postId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Post"];
          };
        };
      };
    };
  };
  "posts.remove": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a post in a space that whoever asks sees */
        postId: components["parameters"]["postId"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "posts.update": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a post in a space that whoever asks sees */
        postId: components["parameters"]["postId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What stands above it; null takes it away. The author's alone to change */
          title?: string | null;
          /** @description The words, which are the author's alone to change */
          body?: string;
          /** @description Whether students are shown it without its words. The staff's alone to change */
          hidden?: boolean;
          /** @description Whether it is in the list of pinned posts. The staff's alone to change */
          pinned?: boolean;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Post"];
          };
        };
      };
    };
  };
  "postComments.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a post that whoever asks sees */
        postId: components["parameters"]["postId-1"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["Comment"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "postComments.create": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a post that whoever asks sees */
        postId: components["parameters"]["postId-1"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The words */
          body: string;
          /** @description Ids of students, and of accounts of members of the club, whom it names, each at most once; none unless it is sent */
          mentions?: string[];
          /** @description Images, in the order in which they are shown, each at most once: a student's that they uploaded for comments and confirmed, the staff's of the library; none unless it is sent */
          media_ids?: string[];
          /** @description The comment of the same lesson or post that it replies to; null, as when it is absent, for a first comment */
          parent_id?: string | null;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Comment"];
          };
        };
      };
    };
  };
  "comments.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
        /** @description Which comments: `unanswered` are first comments of students without an answer, `reported` those that a student told the staff of. `all`, as when it is absent, has deleted ones too, no other has */
        state?: components["parameters"]["state"];
        /** @description Only comments on this lesson */
        lesson_id?: components["parameters"]["lesson_id"];
        /** @description Only comments on this post */
        post_id?: components["parameters"]["post_id"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["Comment"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "comments.moderation": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
        /** @description Which comments: `unanswered` are first comments of students without an answer, `reported` those that a student told the staff of. `all`, as when it is absent, has deleted ones too, no other has */
        state?: components["parameters"]["state"];
        /** @description Only comments on this lesson */
        lesson_id?: components["parameters"]["lesson_id"];
        /** @description Only comments on this post */
        post_id?: components["parameters"]["post_id"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["ModeratedComment"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "comments.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a comment or a reply that whoever asks sees */
        commentId: components["parameters"]["commentId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Comment"];
          };
        };
      };
    };
  };
  "comments.remove": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a comment or a reply that whoever asks sees */
        commentId: components["parameters"]["commentId"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "comments.update": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a comment or a reply that whoever asks sees */
        commentId: components["parameters"]["commentId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The new words, which are the author's alone to change */
          body?: string;
          /** @description Whether students are shown it without its words */
          hidden?: boolean;
          /** @description A mark, by which a client may show it first */
          pinned?: boolean;
          /** @description `true` takes it from the unanswered; `false` puts it back, and lets the assistant answer again */
          answered?: boolean;
          /** @description `true` keeps it from everybody but its author and the staff */
          spam?: boolean;
          /** @description `false` lets it through to students, `true` has it wait for the staff */
          pending?: boolean;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Comment"];
          };
        };
      };
    };
  };
  "comments.replies": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a comment or a reply that whoever asks sees */
        commentId: components["parameters"]["commentId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["Comment"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "comments.reply": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a comment or a reply that whoever asks sees */
        commentId: components["parameters"]["commentId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The words */
          body: string;
          /** @description Ids of students, and of accounts of members of the club, whom it names, each at most once; none unless it is sent */
          mentions?: string[];
          /** @description Images of the library, in the order in which they are shown, each at most once; none unless it is sent */
          media_ids?: string[];
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Comment"];
          };
        };
      };
    };
  };
  "classroomComments.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `public_id` of a live lesson of a course that the student has */
        publicId: components["parameters"]["publicId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["Comment"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "classroomComments.create": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `public_id` of a live lesson of a course that the student has */
        publicId: components["parameters"]["publicId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The words */
          body: string;
          /** @description Ids of students, and of accounts of members of the club, whom it names, each at most once; none unless it is sent */
          mentions?: string[];
          /** @description Images, in the order in which they are shown, each at most once: a student's that they uploaded for comments and confirmed, the staff's of the library; none unless it is sent */
          media_ids?: string[];
          /** @description The comment of the same lesson or post that it replies to; null, as when it is absent, for a first comment */
          parent_id?: string | null;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Comment"];
          };
        };
      };
    };
  };
  "classroomComments.listOfPost": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a post that whoever asks sees */
        postId: components["parameters"]["postId-1"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["Comment"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "classroomComments.createOnPost": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a post that whoever asks sees */
        postId: components["parameters"]["postId-1"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The words */
          body: string;
          /** @description Ids of students, and of accounts of members of the club, whom it names, each at most once; none unless it is sent */
          mentions?: string[];
          /** @description Images, in the order in which they are shown, each at most once: a student's that they uploaded for comments and confirmed, the staff's of the library; none unless it is sent */
          media_ids?: string[];
          /** @description The comment of the same lesson or post that it replies to; null, as when it is absent, for a first comment */
          parent_id?: string | null;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Comment"];
          };
        };
      };
    };
  };
  "classroomComments.saved": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["Comment"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "classroomComments.replies": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a comment or a reply that whoever asks sees */
        commentId: components["parameters"]["commentId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["Comment"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "classroomComments.remove": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a comment or a reply that whoever asks sees */
        commentId: components["parameters"]["commentId"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "classroomComments.edit": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a comment or a reply that whoever asks sees */
        commentId: components["parameters"]["commentId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The new words */
          body: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Comment"];
          };
        };
      };
    };
  };
  "classroomComments.react": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a comment or a reply that whoever asks sees */
        commentId: components["parameters"]["commentId"];
        /** @description Exactly one emoji, encoded as URLs are */
        emoji: components["parameters"]["emoji"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "classroomComments.unreact": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a comment or a reply that whoever asks sees */
        commentId: components["parameters"]["commentId"];
        /** @description Exactly one emoji, encoded as URLs are */
        emoji: components["parameters"]["emoji"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "classroomComments.save": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a comment or a reply that whoever asks sees */
        commentId: components["parameters"]["commentId"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "classroomComments.unsave": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a comment or a reply that whoever asks sees */
        commentId: components["parameters"]["commentId"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "classroomComments.report": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a comment or a reply that whoever asks sees */
        commentId: components["parameters"]["commentId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What is wrong with it, for the staff; null, as when it is absent, to say nothing */
          reason?: string | null;
        };
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "lives.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["Live"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "lives.create": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What the live is called */
          title: string;
          /** @description What it is about; may be empty, as when it is absent */
          description?: string;
          /** @description Where it is shown, an https address; null, as when it is absent, for none yet */
          url?: string | null;
          /**
           * Format: date-time
           * @description When it is announced to start. Nothing opens at that time by itself
           */
          starts_at: string;
          /** @description When it is announced to end, later than its start; null if no end is announced. Nothing ends at that time by itself. Null if it is absent */
          ends_at?: string | null;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Live"];
          };
        };
      };
    };
  };
  "lives.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a live that was not deleted */
        liveId: components["parameters"]["liveId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Live"];
          };
        };
      };
    };
  };
  "lives.remove": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a live that was not deleted */
        liveId: components["parameters"]["liveId"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "lives.update": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a live that was not deleted */
        liveId: components["parameters"]["liveId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What the live is called */
          title?: string;
          /** @description What it is about; may be empty */
          description?: string;
          /** @description Where it is shown, an https address; null takes it away */
          url?: string | null;
          /**
           * Format: date-time
           * @description When it is announced to start. Nothing opens at that time by itself
           */
          starts_at?: string;
          /** @description When it is announced to end, later than its start; null if no end is announced. Nothing ends at that time by itself */
          ends_at?: string | null;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Live"];
          };
        };
      };
    };
  };
  "lives.open": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a live that was not deleted */
        liveId: components["parameters"]["liveId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Live"];
          };
        };
      };
    };
  };
  "lives.close": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a live that was not deleted */
        liveId: components["parameters"]["liveId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Live"];
          };
        };
      };
    };
  };
  "lives.attendances": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a live that was not deleted */
        liveId: components["parameters"]["liveId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["LiveAttendance"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "classroomLives.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["ClassroomLive"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "classroomLives.join": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a live that was not deleted */
        liveId: components["parameters"]["liveId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["JoinedLive"];
          };
        };
      };
    };
  };
  "deliveries.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
        /** @description `true` for the archived ones alone; those in use unless said otherwise */
        archived?: "true" | "false";
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["Delivery"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "deliveries.create": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What members and students call it, in 1 to 120 characters */
          name: string;
          /** @description Whether every student of the club gets it, those to come too; false unless said otherwise */
          free?: boolean;
          /** @description How many days of 24 hours an access lasts from its start, 1 to 36,500, where the grant does not say; null: until its cohort ends, or for good. Null unless said otherwise */
          default_access_days?: number | null;
          /** @description What students with access see: up to 200 things of the club, each once; none unless said otherwise */
          items?: {
            /**
             * @description What it is; `community` is the club's one community
             */
            kind: "course" | "repository" | "community" | "live";
            /**
             * Format: uuid
             * @description The `id` of the course, the repository, the community or the live
             */
            id: string;
          }[];
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Delivery"];
          };
        };
      };
    };
  };
  "deliveries.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a delivery of the club */
        deliveryId: components["parameters"]["deliveryId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Delivery"];
          };
        };
      };
    };
  };
  "deliveries.remove": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a delivery of the club */
        deliveryId: components["parameters"]["deliveryId"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "deliveries.update": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a delivery of the club */
        deliveryId: components["parameters"]["deliveryId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What members and students call it, in 1 to 120 characters; unchanged without it */
          name?: string;
          /** @description Whether every student of the club gets it, those to come too; unchanged without it */
          free?: boolean;
          /** @description How many days of 24 hours an access lasts from its start, 1 to 36,500, where the grant does not say; null: until its cohort ends, or for good. Unchanged without it */
          default_access_days?: number | null;
          /** @description The whole list of what students with access see: up to 200 things of the club, each once; unchanged without it */
          items?: {
            /**
             * @description What it is; `community` is the club's one community
             */
            kind: "course" | "repository" | "community" | "live";
            /**
             * Format: uuid
             * @description The `id` of the course, the repository, the community or the live
             */
            id: string;
          }[];
          /** @description Whether it is out of use: it cannot be granted any more, and who has it keeps it; unchanged without it */
          archived?: boolean;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Delivery"];
          };
        };
      };
    };
  };
  "deliveries.listCohorts": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a delivery of the club */
        deliveryId: components["parameters"]["deliveryId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["Cohort"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "deliveries.createCohort": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a delivery of the club */
        deliveryId: components["parameters"]["deliveryId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What members call it, in 1 to 120 characters */
          name: string;
          /** @description When access in it begins at the earliest; null: with the grant */
          starts_at?: string | null;
          /** @description When access in it ends, unless the grant or the delivery says otherwise; later than `starts_at`; null: it does not */
          ends_at?: string | null;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Cohort"];
          };
        };
      };
    };
  };
  "deliveries.getCohort": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a delivery of the club */
        deliveryId: components["parameters"]["deliveryId"];
        /** @description The `id` of a cohort of the delivery */
        cohortId: components["parameters"]["cohortId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Cohort"];
          };
        };
      };
    };
  };
  "deliveries.removeCohort": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a delivery of the club */
        deliveryId: components["parameters"]["deliveryId"];
        /** @description The `id` of a cohort of the delivery */
        cohortId: components["parameters"]["cohortId"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "deliveries.updateCohort": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a delivery of the club */
        deliveryId: components["parameters"]["deliveryId"];
        /** @description The `id` of a cohort of the delivery */
        cohortId: components["parameters"]["cohortId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What members call it, in 1 to 120 characters; unchanged without it */
          name?: string;
          /** @description When access in it begins at the earliest; null: with the grant. Unchanged without it */
          starts_at?: string | null;
          /** @description When access in it ends, unless the grant or the delivery says otherwise; later than `starts_at`; null: it does not. Unchanged without it */
          ends_at?: string | null;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Cohort"];
          };
        };
      };
    };
  };
  "registrationLinks.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["RegistrationLink"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "registrationLinks.create": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What whoever uses it gets access to; null, or left out: nothing, they only sign up */
          delivery_id?: string | null;
          /** @description A cohort of the delivery that they come into; null, or left out: none */
          cohort_id?: string | null;
          /** @description How often it can be used in all, 1 to 1,000,000; null, or left out: without limit */
          max_uses?: number | null;
          /** @description Until when it can be used; null, or left out: without end */
          expires_at?: string | null;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["RegistrationLink"];
          };
        };
      };
    };
  };
  "registrationLinks.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a registration link of the club */
        linkId: components["parameters"]["linkId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["RegistrationLink"];
          };
        };
      };
    };
  };
  "registrationLinks.remove": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a registration link of the club */
        linkId: components["parameters"]["linkId"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "registrationLinks.update": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a registration link of the club */
        linkId: components["parameters"]["linkId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description How often it can be used in all, 1 to 1,000,000, and no less than it has been; null: without limit. Unchanged without it */
          max_uses?: number | null;
          /** @description Until when it can be used, a time that has passed ends it; null: without end. Unchanged without it */
          expires_at?: string | null;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["RegistrationLink"];
          };
        };
      };
    };
  };
  "registrations.register": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The `code` of a registration link of the club, of 1 to 64 characters */
          code: string;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Enrollment"];
          };
        };
      };
    };
  };
  "courses.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      header?: {
        /** @description The `ETag` of the answer that one has, or several of them: where it still holds, 304 and no body */
        "If-None-Match"?: components["parameters"]["If-None-Match"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["Course"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "courses.create": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What the course is called, for members and students */
          title: string;
          /** @description The course's key in addresses of the classroom, unique among the club's courses; 12 random letters and digits unless it is sent */
          public_id?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Course"];
          };
        };
      };
    };
  };
  "courses.order": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The `id` of everything in the list, each exactly once, first to last */
          ids: string[];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description All items, in the order of the list */
            data: components["schemas"]["Course"][];
            next_cursor: components["schemas"]["NoNextCursor"];
          };
        };
      };
    };
  };
  "courses.get": {
    parameters: {
      header?: {
        /** @description The `ETag` of the answer that one has, or several of them: where it still holds, 304 and no body */
        "If-None-Match"?: components["parameters"]["If-None-Match"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a course of the club */
        courseId: components["parameters"]["courseId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Course"];
          };
        };
      };
    };
  };
  "courses.remove": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a course of the club */
        courseId: components["parameters"]["courseId"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "courses.update": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a course of the club */
        courseId: components["parameters"]["courseId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What the course is called, for members and students */
          title?: string;
          /** @description The course's key in addresses of the classroom, unique among the club's courses. Addresses with the key before lead nowhere from then on */
          public_id?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Course"];
          };
        };
      };
    };
  };
  "courses.outline": {
    parameters: {
      header?: {
        /** @description The `ETag` of the answer that one has, or several of them: where it still holds, 304 and no body */
        "If-None-Match"?: components["parameters"]["If-None-Match"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a course of the club */
        courseId: components["parameters"]["courseId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["CourseOutline"];
          };
        };
      };
    };
  };
  "courses.listModules": {
    parameters: {
      header?: {
        /** @description The `ETag` of the answer that one has, or several of them: where it still holds, 304 and no body */
        "If-None-Match"?: components["parameters"]["If-None-Match"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a course of the club */
        courseId: components["parameters"]["courseId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description All items, in the order of the list */
            data: components["schemas"]["Module"][];
            next_cursor: components["schemas"]["NoNextCursor"];
          };
        };
      };
    };
  };
  "courses.createModule": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a course of the club */
        courseId: components["parameters"]["courseId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What the module is called, above its lessons */
          title: string;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Module"];
          };
        };
      };
    };
  };
  "courses.orderModules": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a course of the club */
        courseId: components["parameters"]["courseId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The `id` of everything in the list, each exactly once, first to last */
          ids: string[];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description All items, in the order of the list */
            data: components["schemas"]["Module"][];
            next_cursor: components["schemas"]["NoNextCursor"];
          };
        };
      };
    };
  };
  "courses.getModule": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a module of one of the club's courses */
        moduleId: components["parameters"]["moduleId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Module"];
          };
        };
      };
    };
  };
  "courses.removeModule": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a module of one of the club's courses */
        moduleId: components["parameters"]["moduleId"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "courses.updateModule": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a module of one of the club's courses */
        moduleId: components["parameters"]["moduleId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What the module is called, above its lessons */
          title?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Module"];
          };
        };
      };
    };
  };
  "lessons.list": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a module of one of the club's courses */
        moduleId: components["parameters"]["moduleId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description All items, in the order of the list */
            data: components["schemas"]["Lesson"][];
            next_cursor: components["schemas"]["NoNextCursor"];
          };
        };
      };
    };
  };
  "lessons.create": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a module of one of the club's courses */
        moduleId: components["parameters"]["moduleId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What the lesson is called, for members and students */
          title: string;
          /** @description The lesson's key in addresses of the classroom, unique among the club's lessons; 12 random letters and digits unless it is sent */
          public_id?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Lesson"];
          };
        };
      };
    };
  };
  "lessons.order": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a module of one of the club's courses */
        moduleId: components["parameters"]["moduleId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The `id` of everything in the list, each exactly once, first to last */
          ids: string[];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description All items, in the order of the list */
            data: components["schemas"]["Lesson"][];
            next_cursor: components["schemas"]["NoNextCursor"];
          };
        };
      };
    };
  };
  "lessons.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a lesson, not its `public_id` */
        lessonId: components["parameters"]["lessonId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Lesson"];
          };
        };
      };
    };
  };
  "lessons.remove": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a lesson, not its `public_id` */
        lessonId: components["parameters"]["lessonId"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "lessons.update": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a lesson, not its `public_id` */
        lessonId: components["parameters"]["lessonId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What the lesson is called, for members and students */
          title?: string;
          /** @description The lesson's key in addresses of the classroom, unique among the club's lessons. Addresses with the key before lead nowhere from then on */
          public_id?: string;
          /**
           * Format: uuid
           * @description Another module of the same course, to the end of which the lesson moves; that of the lesson changes nothing
           */
          module_id?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Lesson"];
          };
        };
      };
    };
  };
  "lessons.publish": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a lesson, not its `public_id` */
        lessonId: components["parameters"]["lessonId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description From when on students see it: at once for a time in the past, scheduled for one in the future, null for a draft */
          published_at: string | null;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Lesson"];
          };
        };
      };
    };
  };
  "lessons.listBlocks": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a lesson, not its `public_id` */
        lessonId: components["parameters"]["lessonId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description All items, in the order of the list */
            data: components["schemas"]["Block"][];
            next_cursor: components["schemas"]["NoNextCursor"];
          };
        };
      };
    };
  };
  "lessons.createBlock": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a lesson, not its `public_id` */
        lessonId: components["parameters"]["lessonId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description A text to read, or an assignment that students submit to
           */
          kind: "text" | "assignment";
          /** @description What stands above the block; null for nothing, as when it is absent */
          title?: string | null;
          /** @description The words of a text, or what an assignment asks for, as they were sent */
          body: string;
        } | {
          /**
           * @description A video to watch, or a file to open
           */
          kind: "video" | "file";
          /** @description What stands above the block; null for nothing, as when it is absent */
          title?: string | null;
          /**
           * Format: uuid
           * @description The media record of the library that the block shows: of the kind `video` for a video, any for a file. It has to be ready
           */
          media_id: string;
        } | {
          /**
           * @description A quiz to answer
           */
          kind: "quiz";
          /** @description What stands above the block; null for nothing, as when it is absent */
          title?: string | null;
          /** @description The questions of a quiz, in the order in which they are asked */
          questions: {
            /**
             * Format: uuid
             * @description That of a question which the quiz has, to keep it; absent for a new one
             */
            id?: string;
            /** @description What is asked */
            text: string;
            /** @description The answers to choose from, in the order in which they are shown; at least one is correct */
            options: {
              /**
               * Format: uuid
               * @description That of an option which the question has, to keep it; absent for a new one
               */
              id?: string;
              /** @description An answer to choose */
              text: string;
              /** @description Whether choosing it answers the question; one option or more of a question do */
              correct: boolean;
            }[];
          }[];
          /** @description How many percent of the questions have to be answered correctly to pass the quiz */
          pass_percent: number;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Block"];
          };
        };
      };
    };
  };
  "lessons.orderBlocks": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a lesson, not its `public_id` */
        lessonId: components["parameters"]["lessonId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The `id` of everything in the list, each exactly once, first to last */
          ids: string[];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description All items, in the order of the list */
            data: components["schemas"]["Block"][];
            next_cursor: components["schemas"]["NoNextCursor"];
          };
        };
      };
    };
  };
  "lessons.getBlock": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a block of one of the club's lessons */
        blockId: components["parameters"]["blockId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Block"];
          };
        };
      };
    };
  };
  "lessons.removeBlock": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a block of one of the club's lessons */
        blockId: components["parameters"]["blockId"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "lessons.updateBlock": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a block of one of the club's lessons */
        blockId: components["parameters"]["blockId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What stands above the block; null for nothing */
          title?: string | null;
          /** @description The words of a text, or what an assignment asks for, as they were sent; of these kinds alone */
          body?: string;
          /**
           * Format: uuid
           * @description The media record of the library that the block shows: of the kind `video` for a video, any for a file. It has to be ready; of these kinds alone
           */
          media_id?: string;
          /** @description The questions of a quiz, in the order in which they are asked: the whole list, which replaces the one before; of a quiz alone */
          questions?: {
            /**
             * Format: uuid
             * @description That of a question which the quiz has, to keep it; absent for a new one
             */
            id?: string;
            /** @description What is asked */
            text: string;
            /** @description The answers to choose from, in the order in which they are shown; at least one is correct */
            options: {
              /**
               * Format: uuid
               * @description That of an option which the question has, to keep it; absent for a new one
               */
              id?: string;
              /** @description An answer to choose */
              text: string;
              /** @description Whether choosing it answers the question; one option or more of a question do */
              correct: boolean;
            }[];
          }[];
          /** @description How many percent of the questions have to be answered correctly to pass the quiz; of a quiz alone */
          pass_percent?: number;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Block"];
          };
        };
      };
    };
  };
  "repositories.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["ManagedRepository"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "repositories.create": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What the repository is called */
          title: string;
          /** @description Whose files these are, to be shown beside the title; null, as when it is absent, for nobody */
          instructor_name?: string | null;
          /** @description A picture to be shown beside the title, an https address; null, as when it is absent, for none */
          cover_url?: string | null;
          /** @description The repository's key in addresses of the classroom, unique among the club's repositories; 12 random letters and digits unless it is sent */
          public_id?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["ManagedRepository"];
          };
        };
      };
    };
  };
  "repositories.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a repository, not its `public_id` */
        repositoryId: components["parameters"]["repositoryId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["ManagedRepository"];
          };
        };
      };
    };
  };
  "repositories.remove": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a repository, not its `public_id` */
        repositoryId: components["parameters"]["repositoryId"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "repositories.update": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a repository, not its `public_id` */
        repositoryId: components["parameters"]["repositoryId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What the repository is called */
          title?: string;
          /** @description Whose files these are, to be shown beside the title; null for nobody */
          instructor_name?: string | null;
          /** @description A picture to be shown beside the title, an https address; null for none */
          cover_url?: string | null;
          /** @description The repository's key in addresses of the classroom, unique among the club's repositories. Addresses with the key before lead nowhere from then on */
          public_id?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["ManagedRepository"];
          };
        };
      };
    };
  };
  "repositories.publish": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a repository, not its `public_id` */
        repositoryId: components["parameters"]["repositoryId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description From when on students see it: at once for a time in the past, scheduled for one in the future, null for a draft */
          published_at: string | null;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["ManagedRepository"];
          };
        };
      };
    };
  };
  "repositories.listFiles": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a repository, not its `public_id` */
        repositoryId: components["parameters"]["repositoryId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description All items, in the order of the list */
            data: components["schemas"]["ManagedFile"][];
            next_cursor: components["schemas"]["NoNextCursor"];
          };
        };
      };
    };
  };
  "repositories.addFile": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a repository, not its `public_id` */
        repositoryId: components["parameters"]["repositoryId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: uuid
           * @description A media record of the library whose upload was confirmed; a provider's video cannot be downloaded
           */
          media_id: string;
          /** @description What the file is called in this repository; the media record's title unless it is sent */
          title?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["ManagedFile"];
          };
        };
      };
    };
  };
  "repositories.orderFiles": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a repository, not its `public_id` */
        repositoryId: components["parameters"]["repositoryId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The `id` of everything in the list, each exactly once, first to last */
          ids: string[];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description All items, in the order of the list */
            data: components["schemas"]["ManagedFile"][];
            next_cursor: components["schemas"]["NoNextCursor"];
          };
        };
      };
    };
  };
  "repositories.removeFile": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a repository, not its `public_id` */
        repositoryId: components["parameters"]["repositoryId"];
        /** @description The `id` of a file in the repository, not of its media record */
        fileId: components["parameters"]["fileId"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "classroomRepositories.list": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Repository"][];
          };
        };
      };
    };
  };
  "classroomRepositories.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `public_id` of a repository that the student has */
        publicId: components["parameters"]["publicId-1"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["OpenedRepository"];
          };
        };
      };
    };
  };
  "classroomRepositories.download": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `public_id` of a repository that the student has */
        publicId: components["parameters"]["publicId-1"];
        /** @description The `id` of a file in the repository, not of its media record */
        fileId: components["parameters"]["fileId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["FileDownload"];
          };
        };
      };
    };
  };
  "media.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
        /** @description Words, of 1 to 100 characters in all: each is in the title or the file's name, whatever its case */
        search?: string;
        /** @description Only media of this kind */
        kind?: "video" | "image" | "audio" | "document" | "file";
        /** @description Only what is in this folder */
        folder_id?: string;
        /** @description `true`: only what is archived. Unless it is sent, or with `false`: only what is not */
        archived?: "true" | "false";
        /** @description Only what is marked as a favorite, or only what is not */
        favorite?: "true" | "false";
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["Media"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "media.create": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The name that it is saved under when it is downloaded */
          file_name: string;
          /** @description Its media type, with which the upload is compared. Other names of a type count too, such as `image/jpg`. If it is empty or `application/octet-stream`, the end of `file_name` counts. A refusal lists the types that are taken */
          mime: string;
          /** @description How large it is, in bytes, exactly. At most 20 MiB for an image, and another limit for each kind */
          size_bytes: number;
          /** @description What it is called in lists; the first 200 characters of its name unless it is sent */
          title?: string;
          /** @description The folder of the library that it is put into; null, as when it is absent, for none */
          folder_id?: string | null;
        } | {
          /**
           * @description Who shows the video
           */
          provider: "youtube" | "vimeo" | "panda" | "bunny" | "mux";
          /** @description The provider's id of it: of YouTube the 11 characters, of Vimeo the number, with `/` and the hash if it is unlisted, of Panda and Bunny the library, `/` and the video, of Mux the playback id */
          external_id: string;
          /**
           * @description Providers show videos alone
           */
          kind: "video";
          /** @description What it is called in lists */
          title: string;
          /** @description How long it plays, in seconds, to be shown beside it; at most a week */
          duration_seconds?: number | null;
          /** @description A small still picture of it, an https address */
          thumbnail_url?: string | null;
          /** @description A preview of it, an https address */
          preview_url?: string | null;
          /** @description The folder of the library that it is put into; null, as when it is absent, for none */
          folder_id?: string | null;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /** @description The new record: of a file `uploading` until it is completed, of a provider's video `ready` */
              media: components["schemas"]["Media"];
              /** @description How the file is sent; null for a provider's video */
              upload: components["schemas"]["MediaUpload"] | null;
            };
          };
        };
      };
    };
  };
  "media.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a media record of the library */
        mediaId: components["parameters"]["mediaId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Media"];
          };
        };
      };
    };
  };
  "media.remove": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a media record of the library */
        mediaId: components["parameters"]["mediaId"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "media.update": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a media record of the library */
        mediaId: components["parameters"]["mediaId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What it is called in lists */
          title?: string;
          /** @description The folder of the library that it is put into; null takes it out of the one that it is in */
          folder_id?: string | null;
          /** @description Whether it is put away: lists leave it out unless asked for, and what shows it goes on showing it */
          archived?: boolean;
          /** @description A mark of the staff's, to narrow lists by */
          favorite?: boolean;
          /**
           * @description A mark of the staff's. It opens nothing: files are reached by addresses that end
           */
          visibility?: "private" | "public";
          /** @description How long it plays, in seconds, to be shown beside it; at most a week */
          duration_seconds?: number | null;
          /** @description A small still picture of it, an https address */
          thumbnail_url?: string | null;
          /** @description A preview of it, an https address */
          preview_url?: string | null;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Media"];
          };
        };
      };
    };
  };
  "media.resume": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a media record of the library */
        mediaId: components["parameters"]["mediaId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["MediaUploadParts"];
          };
        };
      };
    };
  };
  "media.complete": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a media record of the library */
        mediaId: components["parameters"]["mediaId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Media"];
          };
        };
      };
    };
  };
  "media.download": {
    parameters: {
      query?: {
        /** @description `true`: a browser shows images, videos, sound and PDF, instead of saving them as it does unless this is sent */
        inline?: components["parameters"]["inline"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a media record of the library */
        mediaId: components["parameters"]["mediaId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /**
               * Format: uri
               * @description Where the file is, or the provider's page of the video. Whoever has the address can open it
               */
              url: string;
              /** @description When the address ends, an hour after this answer; null with a provider, whose address stays */
              expires_at: string | null;
              /** @description Whether the address is signed, and therefore ends */
              signed: boolean;
            };
          };
        };
      };
    };
  };
  "mediaFolders.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["MediaFolder"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "mediaFolders.create": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What the folder is called; two may be called the same */
          name: string;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["MediaFolder"];
          };
        };
      };
    };
  };
  "mediaFolders.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a folder of the library */
        folderId: components["parameters"]["folderId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["MediaFolder"];
          };
        };
      };
    };
  };
  "mediaFolders.remove": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a folder of the library */
        folderId: components["parameters"]["folderId"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "mediaFolders.update": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a folder of the library */
        folderId: components["parameters"]["folderId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What the folder is called; two may be called the same */
          name?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["MediaFolder"];
          };
        };
      };
    };
  };
  "classroomMedia.create": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The name that it is saved under when it is downloaded */
          file_name: string;
          /** @description Its media type, with which the upload is compared. Other names of a type count too, such as `image/jpg`. If it is empty or `application/octet-stream`, the end of `file_name` counts. A refusal lists the types that are taken */
          mime: string;
          /** @description How large it is, in bytes, exactly. At most 20 MiB for an image, and another limit for each kind */
          size_bytes: number;
          /**
           * @description What it is attached to afterwards: images to comments and questions, images, documents and videos to submissions
           */
          purpose: "comment" | "ask" | "submission";
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /** @description The new record: of a file `uploading` until it is completed, of a provider's video `ready` */
              media: components["schemas"]["Media"];
              /** @description How the file is sent; null for a provider's video */
              upload: components["schemas"]["MediaUpload"] | null;
            };
          };
        };
      };
    };
  };
  "classroomMedia.resume": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a media record whose upload the student began */
        mediaId: components["parameters"]["mediaId-1"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["MediaUploadParts"];
          };
        };
      };
    };
  };
  "classroomMedia.complete": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a media record whose upload the student began */
        mediaId: components["parameters"]["mediaId-1"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Media"];
          };
        };
      };
    };
  };
  "mentorshipFiles.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["Media"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "mentorshipFiles.create": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The name that it is saved under when it is downloaded */
          file_name: string;
          /** @description Its media type, with which the upload is compared. Other names of a type count too, such as `image/jpg`. If it is empty or `application/octet-stream`, the end of `file_name` counts. A refusal lists the types that are taken */
          mime: string;
          /** @description How large it is, in bytes, exactly. At most 20 MiB for an image, and another limit for each kind */
          size_bytes: number;
          /** @description What it is called in lists; the first 200 characters of its name unless it is sent */
          title?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /** @description The new record, `uploading` until it is completed */
              media: components["schemas"]["Media"];
              /** @description How the file is sent */
              upload: components["schemas"]["MediaUpload"];
            };
          };
        };
      };
    };
  };
  "mentorshipFiles.resume": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a mentorship file; media of the library are not among them */
        mediaId: components["parameters"]["mediaId-2"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["MediaUploadParts"];
          };
        };
      };
    };
  };
  "mentorshipFiles.complete": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a mentorship file; media of the library are not among them */
        mediaId: components["parameters"]["mediaId-2"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Media"];
          };
        };
      };
    };
  };
  "mentorshipFiles.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a mentorship file; media of the library are not among them */
        mediaId: components["parameters"]["mediaId-2"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Media"];
          };
        };
      };
    };
  };
  "mentorshipFiles.remove": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a mentorship file; media of the library are not among them */
        mediaId: components["parameters"]["mediaId-2"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "mentorshipFiles.download": {
    parameters: {
      query?: {
        /** @description `true`: a browser shows images, videos, sound and PDF, instead of saving them as it does unless this is sent */
        inline?: components["parameters"]["inline"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a mentorship file; media of the library are not among them */
        mediaId: components["parameters"]["mediaId-2"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /**
               * Format: uri
               * @description Where the file is, or the provider's page of the video. Whoever has the address can open it
               */
              url: string;
              /** @description When the address ends, an hour after this answer; null with a provider, whose address stays */
              expires_at: string | null;
              /** @description Whether the address is signed, and therefore ends */
              signed: boolean;
            };
          };
        };
      };
    };
  };
  "classroom.courses": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description All items, in the order of the list */
            data: components["schemas"]["ClassroomCourse"][];
            next_cursor: components["schemas"]["NoNextCursor"];
          };
        };
      };
    };
  };
  "classroom.course": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `public_id` of a course that the student has */
        publicId: string;
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["ClassroomOutline"];
          };
        };
      };
    };
  };
  "classroom.lesson": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `public_id` of a live lesson of a course that the student has */
        publicId: components["parameters"]["publicId-2"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["ClassroomLesson"];
          };
        };
      };
    };
  };
  "classroom.complete": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `public_id` of a live lesson of a course that the student has */
        publicId: components["parameters"]["publicId-2"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["LessonCompletion"];
          };
        };
      };
    };
  };
  "classroom.undo": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `public_id` of a live lesson of a course that the student has */
        publicId: components["parameters"]["publicId-2"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "classroom.attempt": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a quiz in a live lesson of a course that the student has */
        blockId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description One answer to every question of the quiz, in any order */
          answers: {
            /**
             * Format: uuid
             * @description The `id` of a question of the quiz
             */
            question_id: string;
            /**
             * Format: uuid
             * @description The `id` of the option of this question that the student chose
             */
            option_id: string;
          }[];
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["QuizAttempt"];
          };
        };
      };
    };
  };
  "classroom.submissions": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of an assignment in a live lesson of a course that the student has */
        blockId: components["parameters"]["blockId-1"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["Submission"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "classroom.submit": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of an assignment in a live lesson of a course that the student has */
        blockId: components["parameters"]["blockId-1"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What the student writes, or says of the files */
          body: string;
          /** @description Files that the student uploaded for submissions and confirmed, each at most once, in the order in which they are shown; none unless it is sent */
          media_ids?: string[];
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Submission"];
          };
        };
      };
    };
  };
  "submissions.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
        /** @description Only submissions that wait, or were decided so */
        status?: "pending" | "approved" | "rejected";
        /** @description Only submissions to this assignment */
        block_id?: string;
        /** @description Only submissions to assignments of this lesson */
        lesson_id?: string;
        /** @description Only submissions of this student */
        student_id?: string;
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["ReviewedSubmission"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "submissions.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a submission of a student of the club */
        submissionId: components["parameters"]["submissionId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["ReviewedSubmission"];
          };
        };
      };
    };
  };
  "submissions.approve": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a submission of a student of the club */
        submissionId: components["parameters"]["submissionId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What the student reads beside the approval; nothing unless it is sent */
          feedback?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["ReviewedSubmission"];
          };
        };
      };
    };
  };
  "submissions.reject": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a submission of a student of the club */
        submissionId: components["parameters"]["submissionId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What the student reads: why, and what to do better */
          feedback: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["ReviewedSubmission"];
          };
        };
      };
    };
  };
  "studentProgress.list": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a student of the club, removed ones included */
        studentId: components["parameters"]["studentId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description All items, in the order of the list */
            data: components["schemas"]["StudentCourse"][];
            next_cursor: components["schemas"]["NoNextCursor"];
          };
        };
      };
    };
  };
  "transcripts.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a media record of the library */
        mediaId: components["parameters"]["mediaId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Transcript"];
          };
        };
      };
    };
  };
  "transcripts.put": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a media record of the library */
        mediaId: components["parameters"]["mediaId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What is said in it, word for word: the assistant quotes it */
          text: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Transcript"];
          };
        };
      };
    };
  };
  "transcripts.remove": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a media record of the library */
        mediaId: components["parameters"]["mediaId"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "transcripts.reading": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a media record of the library */
        mediaId: components["parameters"]["mediaId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Reading"];
          };
        };
      };
    };
  };
  "agents.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["Agent"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "agents.update": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of the club's agent */
        agentId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What the assistant is called, in answers and below comments */
          name?: string;
          /** @description Whether it answers questions and comments; what it wrote stays */
          enabled?: boolean;
          /** @description How many questions a student may ask a day, in the club's time zone; with 0 none */
          daily_limit?: number;
          /** @description How many answers and replies the club allows in a month of its time zone, all students together; null sets no limit besides that of its plan */
          monthly_budget?: number | null;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Agent"];
          };
        };
      };
    };
  };
  "ask.state": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `public_id` of a live lesson of a course that the student has */
        publicId: components["parameters"]["publicId-2"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["AskState"];
          };
        };
      };
    };
  };
  "ask.ask": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `public_id` of a live lesson of a course that the student has */
        publicId: components["parameters"]["publicId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The question; white space alone is none */
          content: string;
          /**
           * Format: uuid
           * @description The student's conversation about this lesson that it continues; unless it is sent, it begins one
           */
          conversation_id?: string;
          /** @description Images that the student uploaded for questions and confirmed, each at most once; none unless it is sent */
          media_ids?: string[];
        };
      };
    };
    responses: {
      /** @description Success */
      202: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Asked"];
          };
        };
      };
    };
  };
  "ask.conversations": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `public_id` of a live lesson of a course that the student has */
        publicId: components["parameters"]["publicId-2"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["AskConversation"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "ask.conversation": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a conversation of the student's with the assistant */
        conversationId: components["parameters"]["conversationId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["AskConversation"];
          };
        };
      };
    };
  };
  "ask.messages": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a conversation of the student's with the assistant */
        conversationId: components["parameters"]["conversationId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["AskMessage"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "ask.message": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a question of the student's, or of an answer to one */
        messageId: components["parameters"]["messageId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["AskMessage"];
          };
        };
      };
    };
  };
  "ask.stream": {
    parameters: {
      header?: {
        /** @description The `id` of the last event that was received, to go on after it; from the beginning without it, or if it is none */
        "last-event-id"?: string;
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a question of the student's, or of an answer to one */
        messageId: components["parameters"]["messageId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "text/event-stream": {
            /** @description How much has been told with it. Sent as `Last-Event-ID`, the stream goes on from there */
            id?: string;
            /**
             * @description The answer goes on
             */
            event: "message.delta";
            data: {
              /** @description What follows the words so far */
              text: string;
            };
          } | {
            /** @description How much has been told with it. Sent as `Last-Event-ID`, the stream goes on from there */
            id?: string;
            /**
             * @description The answer quotes the course's material
             */
            event: "message.citation";
            data: {
              /** @description What is quoted */
              citation: components["schemas"]["Citation"];
            };
          } | {
            /** @description How much has been told with it. Sent as `Last-Event-ID`, the stream goes on from there */
            id?: string;
            /**
             * @description The answer is complete, and the stream ends
             */
            event: "message.completed";
            data: {
              /** @description The answer as it stays */
              message: components["schemas"]["AskMessage"];
            };
          } | {
            /** @description How much has been told with it. Sent as `Last-Event-ID`, the stream goes on from there */
            id?: string;
            /**
             * @description The answer failed, and the stream ends
             */
            event: "message.failed";
            data: {
              /**
               * @description Why it failed
               */
              error_code: "timeout" | "interrupted" | "provider_unavailable" | "provider_rate_limited" | "answer_refused";
            };
          } | {
            /** @description How much has been told with it. Sent as `Last-Event-ID`, the stream goes on from there */
            id?: string;
            /**
             * @description The student stopped the answer, and the stream ends
             */
            event: "message.canceled";
            data: {
              /** @description The answer with the words that it had */
              message: components["schemas"]["AskMessage"];
            };
          };
        };
      };
    };
  };
  "ask.cancel": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a question of the student's, or of an answer to one */
        messageId: components["parameters"]["messageId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["AskMessage"];
          };
        };
      };
    };
  };
  "assistantQuestions.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
        /** @description Only questions about this lesson */
        lesson_id?: string;
        /** @description Only questions of this student */
        student_id?: string;
        /** @description Only questions whose answer has this status */
        status?: "generating" | "completed" | "failed" | "canceled";
        /** @description Only questions asked at this moment or later */
        since?: string;
        /** @description Only questions asked before this moment */
        until?: string;
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["AskedQuestion"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "assistantQuestions.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description What was asked, by the `id` that the list has */
        questionId: string;
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["AskedQuestion"];
          };
        };
      };
    };
  };
  "assistantQuestions.usage": {
    parameters: {
      query?: {
        /** @description How many of the club's days are told, today included. 7 unless it is said */
        window?: "7d" | "30d";
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["AssistantUsage"];
          };
        };
      };
    };
  };
  "assistantReplies.reply": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a comment of a student on a lesson */
        commentId: string;
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Silence"];
          };
        };
      };
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Comment"];
          };
        };
      };
    };
  };
  "enrollments.grant": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of the student who gets it */
        studentId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: uuid
           * @description What the student gets access to: a delivery that is not archived
           */
          delivery_id: string;
          /** @description A cohort of the delivery that they come into; null, or left out: none */
          cohort_id?: string | null;
          /**
           * Format: date-time
           * @description When it begins; left out: now, or with the cohort if that is later
           */
          starts_at?: string;
          /** @description When it ends, after it begins and in the future; null: never. Left out: after the delivery's days, else with the cohort */
          expires_at?: string | null;
          /** @description Why, in your own words of 1 to 500 characters, for the history of the access */
          reason?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Enrollment"];
          };
        };
      };
    };
  };
  "enrollments.revoke": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of an enrollment of a student of the club */
        enrollmentId: components["parameters"]["enrollmentId"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description Why, in your own words of 1 to 500 characters, for the history of the access */
          reason?: string;
        } | null;
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Enrollment"];
          };
        };
      };
    };
  };
  "enrollments.restore": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of an enrollment of a student of the club */
        enrollmentId: components["parameters"]["enrollmentId"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description Why, in your own words of 1 to 500 characters, for the history of the access */
          reason?: string;
        } | null;
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Enrollment"];
          };
        };
      };
    };
  };
  "enrollments.extend": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of an enrollment of a student of the club */
        enrollmentId: components["parameters"]["enrollmentId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description When it ends from now on, later than it does and in the future; null: never */
          expires_at: string | null;
          /** @description Why, in your own words of 1 to 500 characters, for the history of the access */
          reason?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Enrollment"];
          };
        };
      };
    };
  };
  "enrollments.shorten": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of an enrollment of a student of the club */
        enrollmentId: components["parameters"]["enrollmentId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: date-time
           * @description When it ends from now on, earlier than it does and after it began; a time that has passed ends it now
           */
          expires_at: string;
          /** @description Why, in your own words of 1 to 500 characters, for the history of the access */
          reason?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Enrollment"];
          };
        };
      };
    };
  };
  "enrollments.move": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of an enrollment of a student of the club */
        enrollmentId: components["parameters"]["enrollmentId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The cohort of the same delivery that it comes into; null: none */
          cohort_id: string | null;
          /** @description Why, in your own words of 1 to 500 characters, for the history of the access */
          reason?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Enrollment"];
          };
        };
      };
    };
  };
  "enrollments.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of an enrollment of a student of the club */
        enrollmentId: components["parameters"]["enrollmentId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Enrollment"];
          };
        };
      };
    };
  };
  "students.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
        /** @description Words, of 1 to 100 characters in all: each is in the name or the address, whatever its case and accents */
        search?: string;
        /** @description Those alone who have or had access to this delivery */
        delivery_id?: string;
        /** @description Those alone who are or were in this cohort */
        cohort_id?: string;
        /** @description `true` for those alone whose access lets them in now, `false` for the others: the access to the delivery or in the cohort, or any at all where neither is named */
        active?: "true" | "false";
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["StudentSummary"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "students.create": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The student's name, of 1 to 200 characters */
          name: string;
          /**
           * Format: email
           * @description The address that they sign in with, of up to 320 characters; no two students of a club have one
           */
          email: string;
          /** @description The national tax document, of 3 to 32 characters; it is in no event and in no export */
          document?: string;
          /** @description What they get access to from the beginning: up to 100 deliveries */
          grants?: {
            /**
             * Format: uuid
             * @description What they get access to: a delivery that is not archived
             */
            delivery_id: string;
            /** @description A cohort of the delivery that they come into; null, or left out: none */
            cohort_id?: string | null;
            /**
             * Format: date-time
             * @description When it begins; left out: now, or with the cohort if that is later
             */
            starts_at?: string;
            /** @description When it ends, after it begins and in the future; null: never. Left out: after the delivery's days, else with the cohort */
            expires_at?: string | null;
          }[];
          /** @description Whether to mail them a link that signs them in; false unless said otherwise */
          send_invite?: boolean;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Student"];
          };
        };
      };
    };
  };
  "students.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a student of the club */
        studentId: components["parameters"]["studentId-1"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Student"];
          };
        };
      };
    };
  };
  "students.remove": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a student of the club */
        studentId: components["parameters"]["studentId-1"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "students.update": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a student of the club */
        studentId: components["parameters"]["studentId-1"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The student's name, of 1 to 200 characters; unchanged without it */
          name?: string;
          /**
           * Format: email
           * @description The address that they sign in with, of up to 320 characters; unchanged without it. Another one ends their sessions, and is unproven until they use a mailed link
           */
          email?: string;
          /** @description The national tax document, of 3 to 32 characters; null takes it away. Unchanged without it */
          document?: string | null;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["Student"];
          };
        };
      };
    };
  };
  "students.erasure": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a student of the club */
        studentId: components["parameters"]["studentId-1"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["StudentErasure"];
          };
        };
      };
    };
  };
  "studentSales.purchases": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a student of the club, removed ones included */
        studentId: components["parameters"]["studentId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["Purchase"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "studentSales.subscriptions": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a student of the club, removed ones included */
        studentId: components["parameters"]["studentId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["Subscription"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "studentImports.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["StudentImport"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "studentImports.create": {
    parameters: {
      query?: {
        /** @description `true` to write nothing and count what would be; `false` unless said otherwise */
        dry_run?: "true" | "false";
      };
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The students, 1 to 5,000 of them */
          rows: {
            /** @description The student's name: 1 to 200 characters, or the row fails */
            name: string;
            /** @description The student's address: of up to 320 characters, or the row fails */
            email: string;
            /** @description The national tax document: 3 to 32 characters, or the row fails; null or empty: none */
            document?: string | null;
            /** @description What they get access to: the `id` or the name of a delivery; null or empty: nothing */
            delivery?: string | null;
            /** @description A cohort of the delivery: its `id` or its name; null or empty: none */
            cohort?: string | null;
            /** @description When the access ends: a timestamp, or a date such as 2027-12-31 or 31/12/2027 for the end of that day in the club's time zone; null or empty: as the delivery and the cohort say */
            expires_at?: string | null;
          }[];
        };
        "text/csv": string;
      };
    };
    responses: {
      /** @description Success */
      202: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["StudentImport"];
          };
        };
      };
    };
  };
  "studentImports.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of an import of the club */
        importId: components["parameters"]["importId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["StudentImport"];
          };
        };
      };
    };
  };
  "studentImports.errors": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of an import of the club */
        importId: components["parameters"]["importId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["StudentImportError"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "studentExport.csv": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "text/csv": string;
        };
      };
    };
  };
  "support.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
        /** @description Only conversations of this status */
        status?: "open" | "pending" | "closed";
        /** @description Only those in which a student wrote what whoever asks has not read, or only the others */
        unread?: "true" | "false";
        /** @description Only those that the member with this account looks after; none if they no longer look after students */
        assignee_user_id?: string;
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["SupportConversation"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "support.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a support conversation, for a student one of their own */
        conversationId: components["parameters"]["conversationId-1"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["SupportConversation"];
          };
        };
      };
    };
  };
  "support.update": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a support conversation, for a student one of their own */
        conversationId: components["parameters"]["conversationId-1"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description `open` waits for the staff, `pending` for the student, `closed` for nobody
           */
          status?: "open" | "pending" | "closed";
          /** @description The account of the member who looks after it, an owner, admin or support of the club; null for nobody */
          assignee_user_id?: string | null;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["SupportConversation"];
          };
        };
      };
    };
  };
  "support.messages": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a support conversation, for a student one of their own */
        conversationId: components["parameters"]["conversationId-1"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["SupportMessage"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "support.write": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a support conversation, for a student one of their own */
        conversationId: components["parameters"]["conversationId-1"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The message */
          body: string;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["SupportMessage"];
          };
        };
      };
    };
  };
  "support.read": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a support conversation, for a student one of their own */
        conversationId: components["parameters"]["conversationId-1"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "classroomSupport.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["ClassroomSupportConversation"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "classroomSupport.open": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What it is about */
          subject: string;
          /** @description The first message */
          body: string;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["ClassroomSupportConversation"];
          };
        };
      };
    };
  };
  "classroomSupport.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a support conversation, for a student one of their own */
        conversationId: components["parameters"]["conversationId-1"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["ClassroomSupportConversation"];
          };
        };
      };
    };
  };
  "classroomSupport.messages": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a support conversation, for a student one of their own */
        conversationId: components["parameters"]["conversationId-1"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["SupportMessage"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "classroomSupport.write": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a support conversation, for a student one of their own */
        conversationId: components["parameters"]["conversationId-1"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The message */
          body: string;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["SupportMessage"];
          };
        };
      };
    };
  };
  "classroomSupport.read": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of a support conversation, for a student one of their own */
        conversationId: components["parameters"]["conversationId-1"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "inboundWebhooks.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["InboundWebhook"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "inboundWebhooks.create": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description The sales platform that is to write to it. It cannot be changed later
           */
          platform: "hotmart" | "kiwify" | "stripe" | "hubla" | "eduzz" | "generic";
          /** @description What administrators call it; as the platform unless sent */
          name?: string;
          /** @description What the platform signs with, as it shows it; some platforms have a form of it that is checked */
          secret?: string;
          /** @description Whether to accept what comes unverified while no secret is set; not unless sent */
          token_only?: boolean;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["InboundWebhook"];
          };
        };
      };
    };
  };
  "inboundWebhooks.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The address of the club */
        inboundWebhookId: components["parameters"]["inboundWebhookId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["InboundWebhook"];
          };
        };
      };
    };
  };
  "inboundWebhooks.remove": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The address of the club */
        inboundWebhookId: components["parameters"]["inboundWebhookId"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "inboundWebhooks.update": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The address of the club */
        inboundWebhookId: components["parameters"]["inboundWebhookId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What administrators call it */
          name?: string;
          /** @description What the platform signs with from now on; null takes the secret out, and then nothing is accepted unless `token_only` */
          secret?: string | null;
          /** @description False to answer the platform 404, true to take things in again */
          enabled?: boolean;
          /** @description Whether to accept what comes unverified while no secret is set */
          token_only?: boolean;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["InboundWebhook"];
          };
        };
      };
    };
  };
  "inboundWebhooks.rotateToken": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The address of the club */
        inboundWebhookId: components["parameters"]["inboundWebhookId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["InboundWebhook"];
          };
        };
      };
    };
  };
  "inboundEvents.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
        /** @description Only events with this outcome; `pending` are those that wait for theirs */
        outcome?: components["parameters"]["outcome"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The address of the club */
        inboundWebhookId: components["parameters"]["inboundWebhookId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["InboundEvent"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "inboundEvents.listAll": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
        /** @description Only events with this outcome; `pending` are those that wait for theirs */
        outcome?: components["parameters"]["outcome"];
        /** @description Only events of this sales platform */
        platform?: "hotmart" | "kiwify" | "stripe" | "hubla" | "eduzz" | "generic";
        /** @description Only events that came in at this address; none, if the club has no such address */
        inbound_webhook_id?: string;
        /** @description Only events received at this moment or later */
        since?: string;
        /** @description Only events received before this moment */
        until?: string;
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["InboundEvent"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "inboundEvents.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description What came in */
        inboundEventId: components["parameters"]["inboundEventId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["InboundEventDetail"];
          };
        };
      };
    };
  };
  "inboundEvents.reprocess": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description What came in */
        inboundEventId: components["parameters"]["inboundEventId"];
      };
    };
    responses: {
      /** @description Success */
      202: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["InboundEvent"];
          };
        };
      };
    };
  };
  "productMappings.platforms": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description All items, in the order of the list */
            data: components["schemas"]["SalesPlatform"][];
            next_cursor: components["schemas"]["NoNextCursor"];
          };
        };
      };
    };
  };
  "productMappings.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["ProductMapping"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "productMappings.create": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description The sales platform that sells the product
           */
          platform: "hotmart" | "kiwify" | "stripe" | "hubla" | "eduzz" | "generic";
          /** @description The platform's id of the product */
          external_product_id: string;
          /** @description The platform's id of the one offer that the mapping is for; null: all offers of the product */
          external_offer_id?: string | null;
          /**
           * Format: uuid
           * @description The delivery that a sale gives access to; not an archived one
           */
          delivery_id: string;
          /** @description The cohort of that delivery that the student comes into; null: none */
          cohort_id?: string | null;
          /** @description For how many days a sale gives access, where the platform names no end of it; null: as the delivery says */
          access_days?: number | null;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["ProductMappingDetail"];
          };
        };
      };
    };
  };
  "productMappings.unmapped": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["UnmappedProduct"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "productMappings.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The product mapping */
        mappingId: components["parameters"]["mappingId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["ProductMappingDetail"];
          };
        };
      };
    };
  };
  "productMappings.remove": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The product mapping */
        mappingId: components["parameters"]["mappingId"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "productMappings.update": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The product mapping */
        mappingId: components["parameters"]["mappingId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The platform's id of the product */
          external_product_id?: string;
          /** @description The platform's id of the one offer that the mapping is for; null: all offers of the product */
          external_offer_id?: string | null;
          /**
           * Format: uuid
           * @description The delivery that a sale gives access to; not an archived one
           */
          delivery_id?: string;
          /** @description The cohort of that delivery that the student comes into; null: none */
          cohort_id?: string | null;
          /** @description For how many days a sale gives access, where the platform names no end of it; null: as the delivery says */
          access_days?: number | null;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["ProductMappingDetail"];
          };
        };
      };
    };
  };
  "productMappings.reprocess": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The product mapping */
        mappingId: components["parameters"]["mappingId"];
      };
    };
    responses: {
      /** @description Success */
      202: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /** @description How many events went back into the queue */
              requeued: number;
            };
          };
        };
      };
    };
  };
  "billing.contract": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ContractAddon"];
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["BillingStatus"];
          };
        };
      };
    };
  };
  "billing.remove": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The key of the add-on */
        addonKey: string;
      };
    };
    responses: {
      /** @description BillingStatus */
      200: {
        content: {
          "application/json": components["schemas"]["BillingStatus"];
        };
      };
    };
  };
  "billing.invoices": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["Invoice"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "billing.upcoming": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["UpcomingInvoice"];
          };
        };
      };
    };
  };
  "billing.checkout": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["BeginCheckout"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["BillingCheckout"];
          };
        };
      };
    };
  };
  "billing.unconfirmed": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["UnconfirmedSubscription"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "billing.confirm": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The `id` of an unconfirmed subscription */
        subscriptionId: string;
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["BillingStatus"];
          };
        };
      };
    };
  };
  "billing.status": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["BillingStatus"];
          };
        };
      };
    };
  };
  "billing.plans": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description All items, in the order of the list */
            data: components["schemas"]["PlanOffer"][];
            next_cursor: components["schemas"]["NoNextCursor"];
          };
        };
      };
    };
  };
  "billing.portal": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["BillingPortal"];
          };
        };
      };
    };
  };
  "webhookEndpoints.eventTypes": {
    parameters: {
      header?: {
        /** @description The `ETag` of the answer that one has, or several of them: where it still holds, 304 and no body */
        "If-None-Match"?: components["parameters"]["If-None-Match"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description All items, in the order of the list */
            data: components["schemas"]["WebhookEventType"][];
            next_cursor: components["schemas"]["NoNextCursor"];
          };
        };
      };
    };
  };
  "webhookEndpoints.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["WebhookEndpoint"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "webhookEndpoints.create": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: uri
           * @description A public https URL without user or password. Setting it calls nothing
           */
          url?: string;
          /**
           * Format: uuid
           * @description Instead of a URL: an inbox of the club, which then shows what is sent
           */
          inbox_id?: string;
          /** @description Which types of events to send, each once and by its full name: there are no wildcards */
          event_types: ("student.created" | "student.updated" | "student.removed" | "access.granted" | "access.revoked" | "access.extended" | "access.shortened" | "access.restored" | "access.moved" | "purchase.paid" | "purchase.refunded" | "subscription.past_due" | "subscription.canceled" | "lesson.completed" | "course.completed" | "webhook.test")[];
          /** @description A note for administrators; empty unless sent */
          description?: string;
          /**
           * @description `paused` to keep events until the receiver is ready; `enabled` unless sent
           */
          status?: "enabled" | "paused";
          /**
           * @description What is to sign; `hmac` unless sent
           */
          signing?: "hmac" | "both";
          /** @description Whether owners and admins are mailed about it; so it is unless sent */
          notices?: boolean;
          /** @description Send only events that match, as the guide to receivers describes, and `student.removed` in any case; null for all of its types */
          filter?: Record<string, never> | null;
          /** @description Headers that every request has, by name; null takes one away, or all. Values are kept sealed and never shown */
          headers?: {
            [key: string]: string | null;
          } | null;
          /** @description 1 to 1000 attempts a second at most, whoever asks for them; null for no limit */
          max_per_second?: number | null;
          /** @description 1 to 1000 attempts at once at most; null for no limit */
          max_in_flight?: number | null;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["WebhookEndpointWithSecret"];
          };
        };
      };
    };
  };
  "webhookEndpoints.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The endpoint; 404 once it is deleted */
        endpointId: components["parameters"]["endpointId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["WebhookEndpoint"];
          };
        };
      };
    };
  };
  "webhookEndpoints.remove": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The endpoint; 404 once it is deleted */
        endpointId: components["parameters"]["endpointId"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "webhookEndpoints.update": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The endpoint; 404 once it is deleted */
        endpointId: components["parameters"]["endpointId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: uri
           * @description A public https URL without user or password. Setting it calls nothing
           */
          url?: string;
          /**
           * Format: uuid
           * @description Instead of a URL: an inbox of the club, which then shows what is sent
           */
          inbox_id?: string;
          /** @description Which types of events to send, each once and by its full name: there are no wildcards */
          event_types?: ("student.created" | "student.updated" | "student.removed" | "access.granted" | "access.revoked" | "access.extended" | "access.shortened" | "access.restored" | "access.moved" | "purchase.paid" | "purchase.refunded" | "subscription.past_due" | "subscription.canceled" | "lesson.completed" | "course.completed" | "webhook.test")[];
          /** @description A note for administrators; null empties it */
          description?: string | null;
          /**
           * @description `enabled` to send again, and what waits first; `paused` to keep events until then; `disabled` to cancel what waits and keep nothing
           */
          status?: "enabled" | "paused" | "disabled";
          /**
           * @description What is to sign from the next attempt on. An endpoint keeps its secret and key whatever signs; a listener's secret always does
           */
          signing?: "hmac" | "both";
          /** @description Whether owners and admins are mailed about it. That it was disabled for failing is told in any case */
          notices?: boolean;
          /** @description Send only events that match, as the guide to receivers describes, and `student.removed` in any case; null for all of its types */
          filter?: Record<string, never> | null;
          /** @description Headers that every request has, by name; null takes one away, or all. Values are kept sealed and never shown */
          headers?: {
            [key: string]: string | null;
          } | null;
          /** @description 1 to 1000 attempts a second at most, whoever asks for them; null for no limit */
          max_per_second?: number | null;
          /** @description 1 to 1000 attempts at once at most; null for no limit */
          max_in_flight?: number | null;
          /** @description With `status` `enabled` of a paused endpoint: what waited is sent no faster, a second. Until that is done, alone: the new rate; null ends it */
          drain_rate?: number | null;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["WebhookEndpoint"];
          };
        };
      };
    };
  };
  "webhookEndpoints.rotateSecret": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The endpoint; 404 once it is deleted */
        endpointId: components["parameters"]["endpointId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["WebhookEndpointWithSecret"];
          };
        };
      };
    };
  };
  "webhookEndpoints.stats": {
    parameters: {
      query?: {
        /** @description How far back to count: a day, or seven. A day unless it is said */
        window?: "24h" | "7d";
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The endpoint; 404 once it is deleted */
        endpointId: components["parameters"]["endpointId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["WebhookStats"];
          };
        };
      };
    };
  };
  "webhookEndpoints.series": {
    parameters: {
      query?: {
        /** @description How far back: a day or seven by the hour, or 30 days by the day. A day unless it is said */
        window?: components["parameters"]["window"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The endpoint; 404 once it is deleted */
        endpointId: components["parameters"]["endpointId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["WebhookSeries"];
          };
        };
      };
    };
  };
  "webhookEndpoints.seriesOfAll": {
    parameters: {
      query?: {
        /** @description How far back: a day or seven by the hour, or 30 days by the day. A day unless it is said */
        window?: components["parameters"]["window"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description All items, in the order of the list */
            data: components["schemas"]["WebhookEndpointSeries"][];
            next_cursor: components["schemas"]["NoNextCursor"];
          };
        };
      };
    };
  };
  "webhookEndpoints.diagnose": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The endpoint; 404 once it is deleted */
        endpointId: components["parameters"]["endpointId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["WebhookDiagnosis"];
          };
        };
      };
    };
  };
  "webhookEndpoints.diagnoseAll": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description All items, in the order of the list */
            data: components["schemas"]["WebhookEndpointDiagnosis"][];
            next_cursor: components["schemas"]["NoNextCursor"];
          };
        };
      };
    };
  };
  "webhookDeliveries.test": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The endpoint; 404 once it is deleted */
        endpointId: components["parameters"]["endpointId"];
      };
    };
    responses: {
      /** @description Success */
      202: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["WebhookDelivery"];
          };
        };
      };
    };
  };
  "webhookDeliveries.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
        /** @description Only deliveries with this status */
        status?: components["parameters"]["status"];
        /** @description Only deliveries of events of this type */
        event_type?: components["parameters"]["event_type"];
        /** @description Only deliveries created at this moment or later */
        since?: components["parameters"]["since"];
        /** @description Only deliveries created before this moment */
        until?: components["parameters"]["until"];
        /** @description Only deliveries of events about this student */
        student_id?: components["parameters"]["student_id"];
        /** @description Only deliveries of this event */
        event_id?: components["parameters"]["event_id"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The endpoint; 404 once it is deleted */
        endpointId: components["parameters"]["endpointId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["WebhookDelivery"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "webhookDeliveries.listAll": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
        /** @description Only deliveries to this endpoint, which may be deleted by now */
        endpoint_id?: components["parameters"]["endpoint_id"];
        /** @description Only deliveries with this status */
        status?: components["parameters"]["status"];
        /** @description Only deliveries of events of this type */
        event_type?: components["parameters"]["event_type"];
        /** @description Only deliveries created at this moment or later */
        since?: components["parameters"]["since"];
        /** @description Only deliveries created before this moment */
        until?: components["parameters"]["until"];
        /** @description Only deliveries of events about this student */
        student_id?: components["parameters"]["student_id"];
        /** @description Only deliveries of this event */
        event_id?: components["parameters"]["event_id"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["WebhookDelivery"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "webhookDeliveries.stream": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Only deliveries with this status */
        status?: components["parameters"]["status"];
        /** @description Only deliveries of events of this type */
        event_type?: components["parameters"]["event_type"];
        /** @description Only deliveries created at this moment or later */
        since?: components["parameters"]["since"];
        /** @description Only deliveries created before this moment */
        until?: components["parameters"]["until"];
        /** @description Only deliveries of events about this student */
        student_id?: components["parameters"]["student_id"];
        /** @description Only deliveries of this event */
        event_id?: components["parameters"]["event_id"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The endpoint; 404 once it is deleted */
        endpointId: components["parameters"]["endpointId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "text/event-stream": components["schemas"]["WebhookDeliveryEvent"];
        };
      };
    };
  };
  "webhookDeliveries.streamAll": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Only deliveries to this endpoint, which may be deleted by now */
        endpoint_id?: components["parameters"]["endpoint_id"];
        /** @description Only deliveries with this status */
        status?: components["parameters"]["status"];
        /** @description Only deliveries of events of this type */
        event_type?: components["parameters"]["event_type"];
        /** @description Only deliveries created at this moment or later */
        since?: components["parameters"]["since"];
        /** @description Only deliveries created before this moment */
        until?: components["parameters"]["until"];
        /** @description Only deliveries of events about this student */
        student_id?: components["parameters"]["student_id"];
        /** @description Only deliveries of this event */
        event_id?: components["parameters"]["event_id"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "text/event-stream": components["schemas"]["WebhookDeliveryEvent"];
        };
      };
    };
  };
  "webhookDeliveries.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The endpoint; 404 once it is deleted */
        endpointId: components["parameters"]["endpointId"];
        /** @description The delivery, which is to this endpoint */
        deliveryId: components["parameters"]["deliveryId-1"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["WebhookDeliveryDetail"];
          };
        };
      };
    };
  };
  "webhookDeliveries.resend": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The endpoint; 404 once it is deleted */
        endpointId: components["parameters"]["endpointId"];
        /** @description The delivery, which is to this endpoint */
        deliveryId: components["parameters"]["deliveryId-1"];
      };
    };
    responses: {
      /** @description Success */
      202: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["WebhookDelivery"];
          };
        };
      };
    };
  };
  "webhookDeliveries.previewRecovery": {
    parameters: {
      query?: {
        /** @description From when on, as for recovering; 30 days back without it */
        since?: string;
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The endpoint; 404 once it is deleted */
        endpointId: components["parameters"]["endpointId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["WebhookRecoverable"];
          };
        };
      };
    };
  };
  "webhookDeliveries.recover": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The endpoint; 404 once it is deleted */
        endpointId: components["parameters"]["endpointId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description From when on deliveries are sent again, by when they were created */
          since: string;
        };
      };
    };
    responses: {
      /** @description Success */
      202: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /** @description How many deliveries are pending again */
              recovered: number;
            };
          };
        };
      };
    };
  };
  "webhookDeliveries.event": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The event: `webhook-id` of what was received */
        eventId: string;
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["WebhookEvent"];
          };
        };
      };
    };
  };
  "webhookRecoveries.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The endpoint; 404 once it is deleted */
        endpointId: components["parameters"]["endpointId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["WebhookRecovery"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "webhookRecoveries.create": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The endpoint; 404 once it is deleted */
        endpointId: components["parameters"]["endpointId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description From when on, as for recovering at once */
          since: string;
          /** @description Only what was created before this moment */
          until?: string | null;
          /** @description Only these types */
          event_types?: ("student.created" | "student.updated" | "student.removed" | "access.granted" | "access.revoked" | "access.extended" | "access.shortened" | "access.restored" | "access.moved" | "purchase.paid" | "purchase.refunded" | "subscription.past_due" | "subscription.canceled" | "lesson.completed" | "course.completed" | "webhook.test")[] | null;
          /**
           * @description What is sent first; `oldest` unless sent
           */
          order?: "oldest" | "newest";
          /** @description How many a second at most; as fast as it goes unless sent */
          rate?: number | null;
          /** @description Whether to start as soon as it is counted; false unless sent */
          start?: boolean;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["WebhookRecovery"];
          };
        };
      };
    };
  };
  "webhookRecoveries.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The endpoint; 404 once it is deleted */
        endpointId: components["parameters"]["endpointId"];
        /** @description The recovery, which is of this endpoint */
        recoveryId: components["parameters"]["recoveryId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["WebhookRecovery"];
          };
        };
      };
    };
  };
  "webhookRecoveries.update": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The endpoint; 404 once it is deleted */
        endpointId: components["parameters"]["endpointId"];
        /** @description The recovery, which is of this endpoint */
        recoveryId: components["parameters"]["recoveryId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description `running` to start or to go on, `paused` to move nothing for now, `canceled` to end it
           */
          status?: "running" | "paused" | "canceled";
          /** @description How many a second at most from now on; null: as fast as it goes */
          rate?: number | null;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["WebhookRecovery"];
          };
        };
      };
    };
  };
  "webhookRecoveries.drain": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The endpoint; 404 once it is deleted */
        endpointId: components["parameters"]["endpointId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["WebhookDrain"];
          };
        };
      };
    };
  };
  "webhookListeners.create": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Which types of events to send, each once and by its full name: there are no wildcards */
          event_types: ("student.created" | "student.updated" | "student.removed" | "access.granted" | "access.revoked" | "access.extended" | "access.shortened" | "access.restored" | "access.moved" | "purchase.paid" | "purchase.refunded" | "subscription.past_due" | "subscription.canceled" | "lesson.completed" | "course.completed" | "webhook.test")[];
          /** @description A note for administrators; empty unless sent */
          description?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["WebhookEndpointWithSecret"];
          };
        };
      };
    };
  };
  "webhookListeners.poll": {
    parameters: {
      query?: {
        /** @description How many deliveries to answer at most, from 1 to 100; 25 unless said otherwise */
        limit?: number;
        /** @description For how many seconds to wait where nothing is due, from 0 to 25; 0 unless said otherwise */
        wait?: number;
        /** @description Deliveries that the caller has and has not told the result of yet, by their ids, separated by commas */
        except?: string;
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The listener; 404 once it is deleted */
        listenerId: components["parameters"]["listenerId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /** @description What is due, longest due first; empty where nothing is, and after every wait: then poll again */
              deliveries: components["schemas"]["WebhookListenerDelivery"][];
            };
          };
        };
      };
    };
  };
  "webhookListeners.record": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The listener; 404 once it is deleted */
        listenerId: components["parameters"]["listenerId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The results, in the order in which the attempts ended */
          results: {
            /**
             * Format: uuid
             * @description The delivery that was handed out
             */
            delivery_id: string;
            /** @description As it was handed out */
            receipt: string;
            /** @description The HTTP status that answered; 2xx is success. Null where no answer came */
            status_code: number | null;
            /** @description Why no answer came; null where one did, since then the status decides */
            error: ("timeout" | "dns" | "connection" | "tls" | "address_not_allowed" | "redirect" | "http_status" | "protocol") | null;
            /** @description How long it took, in milliseconds, an hour at most */
            duration_ms: number;
            /** @description The start of the answer, of which 2 KB are kept; absent or null where there is none */
            response_body?: string | null;
            /** @description For how long a 429 or 503 asked to wait, in seconds; absent or null where it did not */
            retry_after_seconds?: number | null;
          }[];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /** @description How many results were recorded as attempts */
              recorded: number;
              /** @description How many changed nothing: they were recorded before, or the listener has no such delivery */
              ignored: number;
            };
          };
        };
      };
    };
  };
  "webhookInboxes.list": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description All items, in the order of the list */
            data: components["schemas"]["WebhookInbox"][];
            next_cursor: components["schemas"]["NoNextCursor"];
          };
        };
      };
    };
  };
  "webhookInboxes.create": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The status that it answers with, from 200 to 599; a 3xx leads nowhere */
          status?: number;
          /** @description For how many milliseconds it waits before it answers, 20,000 at most */
          delay_ms?: number;
          /** @description The `Retry-After` of its answers, in seconds; null for none */
          retry_after_seconds?: number | null;
        };
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["WebhookInbox"];
          };
        };
      };
    };
  };
  "webhookInboxes.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The inbox; 404 once its hour is over */
        inboxId: components["parameters"]["inboxId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["WebhookInbox"];
          };
        };
      };
    };
  };
  "webhookInboxes.remove": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The inbox; 404 once its hour is over */
        inboxId: components["parameters"]["inboxId"];
      };
    };
    responses: {
      /** @description <No Content> */
      204: {
        content?: never;
      };
    };
  };
  "webhookInboxes.update": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The inbox; 404 once its hour is over */
        inboxId: components["parameters"]["inboxId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The status that it answers with, from 200 to 599; a 3xx leads nowhere */
          status?: number;
          /** @description For how many milliseconds it waits before it answers, 20,000 at most */
          delay_ms?: number;
          /** @description The `Retry-After` of its answers, in seconds; null for none */
          retry_after_seconds?: number | null;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["WebhookInbox"];
          };
        };
      };
    };
  };
  "webhookInboxes.requests": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The inbox; 404 once its hour is over */
        inboxId: components["parameters"]["inboxId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["WebhookInboxRequest"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "webhookInboxes.stream": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The inbox; 404 once its hour is over */
        inboxId: components["parameters"]["inboxId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "text/event-stream": components["schemas"]["WebhookInboxEvent"];
        };
      };
    };
  };
  "webhookInboxes.request": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The inbox; 404 once its hour is over */
        inboxId: components["parameters"]["inboxId"];
        /** @description The request; 404 once 100 came after it */
        requestId: string;
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["WebhookInboxRequestDetail"];
          };
        };
      };
    };
  };
  "webhookFilters.test": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The filter, as an endpoint would have it */
          filter: Record<string, never>;
          /** @description A whole body, as it would be sent */
          event?: Record<string, never>;
          /** @description Without an event: the example of this type in the catalog */
          event_type?: components["schemas"]["EventType"];
          /**
           * Format: uuid
           * @description Without either: an event of the club whose body still exists
           */
          event_id?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["WebhookFilterTest"];
          };
        };
      };
    };
  };
  "eventFeed.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
        /** @description Where to begin: behind this `cursor` of a page or an event, or `latest`, behind all there are */
        after?: components["parameters"]["after"];
        /** @description Without `after`: begin with what was assembled at this moment or later; else with the oldest kept */
        since?: components["parameters"]["since-1"];
        /** @description Only events of this type */
        type?: components["parameters"]["type"];
        /** @description Only events about this student */
        student_id?: components["parameters"]["student_id-1"];
        /** @description For how many seconds to wait where there is none, from 0 to 30; 0 unless said otherwise */
        wait?: number;
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["FeedEvent"][];
            next_cursor: components["schemas"]["NextCursor"];
            /** @description How far this page has read. Sent as `after`, now or in weeks, it goes on with what follows */
            cursor: string;
          };
        };
      };
    };
  };
  "eventFeed.stream": {
    parameters: {
      query?: {
        /** @description Where to begin: behind this `cursor` of a page or an event, or `latest`, behind all there are */
        after?: components["parameters"]["after"];
        /** @description Without `after`: begin with what was assembled at this moment or later; else with the oldest kept */
        since?: components["parameters"]["since-1"];
        /** @description Only events of this type */
        type?: components["parameters"]["type"];
        /** @description Only events about this student */
        student_id?: components["parameters"]["student_id-1"];
      };
      header?: {
        /** @description The `id` of the last event that was received, to go on behind it, whatever `after` says */
        "last-event-id"?: string;
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "text/event-stream": components["schemas"]["FeedStreamEvent"];
        };
      };
    };
  };
  "webhookOutages.simulate": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: date-time
           * @description From when on nothing is accepted
           */
          from: string;
          /**
           * Format: date-time
           * @description From when on everything is accepted again, up to 31 days later
           */
          to: string;
          /** @description How many events there are in an hour */
          events_per_hour: number;
          /** @description How long each attempt takes that fails: 15 where nothing answers; at once unless it is sent */
          attempt_seconds?: number;
          /** @description For how long each answer asks to wait by Retry-After; it does not unless it is sent */
          retry_after_seconds?: number | null;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["WebhookOutage"];
          };
        };
      };
    };
  };
  "webhookGradings.begin": {
    parameters: {
      header?: {
        /** @description Any text of your own, 1 to 255 printable ASCII characters: the same request with the same key is done once in 24 hours, and a repetition gets the first answer */
        "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The endpoint; 404 once it is deleted */
        endpointId: components["parameters"]["endpointId"];
      };
    };
    responses: {
      /** @description Success */
      202: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["WebhookGrading"];
          };
        };
      };
    };
  };
  "webhookGradings.list": {
    parameters: {
      query?: {
        /** @description How many items a page has at most, from 1 to 100; 25 unless said otherwise */
        limit?: components["parameters"]["limit"];
        /** @description Where the page begins: `next_cursor` of the page before; the first page without it */
        cursor?: components["parameters"]["cursor"];
      };
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The endpoint; 404 once it is deleted */
        endpointId: components["parameters"]["endpointId"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The items of this page */
            data: components["schemas"]["WebhookGrading"][];
            next_cursor: components["schemas"]["NextCursor"];
          };
        };
      };
    };
  };
  "webhookGradings.get": {
    parameters: {
      path: {
        /** @description The club's public id: an `organization_id` of `GET /v1/me`, or the `club_id` of `GET /v1/auth/session` */
        clubId: components["parameters"]["clubId"];
        /** @description The endpoint; 404 once it is deleted */
        endpointId: components["parameters"]["endpointId"];
        /** @description The grading; 404 after 30 days */
        gradingId: string;
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: components["schemas"]["WebhookGradingDetail"];
          };
        };
      };
    };
  };
  "platformHooks.receive": {
    parameters: {
      path: {
        /** @description The key of the sales platform */
        platform: string;
        /** @description What the `url` of an inbound webhook ends with */
        token: string;
      };
    };
    requestBody: {
      content: {
        "application/json": unknown;
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description The answer */
            data: {
              /**
               * @description `accepted`: it is stored and will be processed. `duplicate`: the same bytes came before. `ignored`: nothing follows from it
               */
              status: "accepted" | "duplicate" | "ignored";
            };
          };
        };
      };
    };
  };
  "webhookKeys.list": {
    parameters: {
      path: {
        /** @description The webhook endpoint */
        endpointId: string;
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            /** @description All items, in the order of the list */
            data: components["schemas"]["WebhookPublicKey"][];
            next_cursor: components["schemas"]["NoNextCursor"];
          };
        };
      };
    };
  };
  "event.student.created": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          id: components["schemas"]["EventId"];
          /**
           * @description What happened, and so what `data` looks like
           */
          type: "student.created";
          occurred_at: components["schemas"]["EventOccurredAt"];
          club_id: components["schemas"]["EventClubId"];
          /** @description What the event is about, by the kind of thing. It may gain fields */
          data: {
            /** @description Whom the event is about, as they are some seconds after it */
            student: components["schemas"]["EventStudent"];
            /**
             * @description How the student came into the club
             */
            origin: "sign_up" | "purchase" | "invitation" | "import" | "registration_link";
          };
        };
      };
    };
    responses: {
      /** @description The event is accepted. Any other answer, or none within 15 seconds, is a failure */
      "2XX": {
        content?: never;
      };
    };
  };
  "event.student.updated": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          id: components["schemas"]["EventId"];
          /**
           * @description What happened, and so what `data` looks like
           */
          type: "student.updated";
          occurred_at: components["schemas"]["EventOccurredAt"];
          club_id: components["schemas"]["EventClubId"];
          /** @description What the event is about, by the kind of thing. It may gain fields */
          data: {
            /** @description Whom the event is about, as they are some seconds after it */
            student: components["schemas"]["EventStudent"];
            /** @description Which fields of the student were corrected */
            changed: ("name" | "email")[];
          };
        };
      };
    };
    responses: {
      /** @description The event is accepted. Any other answer, or none within 15 seconds, is a failure */
      "2XX": {
        content?: never;
      };
    };
  };
  "event.student.removed": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          id: components["schemas"]["EventId"];
          /**
           * @description What happened, and so what `data` looks like
           */
          type: "student.removed";
          occurred_at: components["schemas"]["EventOccurredAt"];
          club_id: components["schemas"]["EventClubId"];
          /** @description What the event is about, by the kind of thing. It may gain fields */
          data: {
            /** @description Who was removed */
            student: {
              /**
               * Format: uuid
               * @description The id that the student had. Nothing else of them is kept
               */
              id: string;
            };
          };
        };
      };
    };
    responses: {
      /** @description The event is accepted. Any other answer, or none within 15 seconds, is a failure */
      "2XX": {
        content?: never;
      };
    };
  };
  "event.access.granted": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          id: components["schemas"]["EventId"];
          /**
           * @description What happened, and so what `data` looks like
           */
          type: "access.granted";
          occurred_at: components["schemas"]["EventOccurredAt"];
          club_id: components["schemas"]["EventClubId"];
          /** @description What the event is about, by the kind of thing. It may gain fields */
          data: {
            /** @description Whom the event is about, as they are some seconds after it */
            student: components["schemas"]["EventStudent"];
            /** @description The access, as it is some seconds after the event */
            enrollment: components["schemas"]["EventEnrollment"];
          };
        };
      };
    };
    responses: {
      /** @description The event is accepted. Any other answer, or none within 15 seconds, is a failure */
      "2XX": {
        content?: never;
      };
    };
  };
  "event.access.revoked": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          id: components["schemas"]["EventId"];
          /**
           * @description What happened, and so what `data` looks like
           */
          type: "access.revoked";
          occurred_at: components["schemas"]["EventOccurredAt"];
          club_id: components["schemas"]["EventClubId"];
          /** @description What the event is about, by the kind of thing. It may gain fields */
          data: {
            /** @description Whom the event is about, as they are some seconds after it */
            student: components["schemas"]["EventStudent"];
            /** @description The access, as it is some seconds after the event */
            enrollment: components["schemas"]["EventEnrollment"];
          };
        };
      };
    };
    responses: {
      /** @description The event is accepted. Any other answer, or none within 15 seconds, is a failure */
      "2XX": {
        content?: never;
      };
    };
  };
  "event.access.extended": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          id: components["schemas"]["EventId"];
          /**
           * @description What happened, and so what `data` looks like
           */
          type: "access.extended";
          occurred_at: components["schemas"]["EventOccurredAt"];
          club_id: components["schemas"]["EventClubId"];
          /** @description What the event is about, by the kind of thing. It may gain fields */
          data: {
            /** @description Whom the event is about, as they are some seconds after it */
            student: components["schemas"]["EventStudent"];
            /** @description The access, as it is some seconds after the event */
            enrollment: components["schemas"]["EventEnrollment"];
            /** @description When the access would have ended before the change; null: it had no end */
            previous_expires_at: string | null;
          };
        };
      };
    };
    responses: {
      /** @description The event is accepted. Any other answer, or none within 15 seconds, is a failure */
      "2XX": {
        content?: never;
      };
    };
  };
  "event.access.shortened": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          id: components["schemas"]["EventId"];
          /**
           * @description What happened, and so what `data` looks like
           */
          type: "access.shortened";
          occurred_at: components["schemas"]["EventOccurredAt"];
          club_id: components["schemas"]["EventClubId"];
          /** @description What the event is about, by the kind of thing. It may gain fields */
          data: {
            /** @description Whom the event is about, as they are some seconds after it */
            student: components["schemas"]["EventStudent"];
            /** @description The access, as it is some seconds after the event */
            enrollment: components["schemas"]["EventEnrollment"];
            /** @description When the access would have ended before the change; null: it had no end */
            previous_expires_at: string | null;
          };
        };
      };
    };
    responses: {
      /** @description The event is accepted. Any other answer, or none within 15 seconds, is a failure */
      "2XX": {
        content?: never;
      };
    };
  };
  "event.access.restored": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          id: components["schemas"]["EventId"];
          /**
           * @description What happened, and so what `data` looks like
           */
          type: "access.restored";
          occurred_at: components["schemas"]["EventOccurredAt"];
          club_id: components["schemas"]["EventClubId"];
          /** @description What the event is about, by the kind of thing. It may gain fields */
          data: {
            /** @description Whom the event is about, as they are some seconds after it */
            student: components["schemas"]["EventStudent"];
            /** @description The access, as it is some seconds after the event */
            enrollment: components["schemas"]["EventEnrollment"];
          };
        };
      };
    };
    responses: {
      /** @description The event is accepted. Any other answer, or none within 15 seconds, is a failure */
      "2XX": {
        content?: never;
      };
    };
  };
  "event.access.moved": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          id: components["schemas"]["EventId"];
          /**
           * @description What happened, and so what `data` looks like
           */
          type: "access.moved";
          occurred_at: components["schemas"]["EventOccurredAt"];
          club_id: components["schemas"]["EventClubId"];
          /** @description What the event is about, by the kind of thing. It may gain fields */
          data: {
            /** @description Whom the event is about, as they are some seconds after it */
            student: components["schemas"]["EventStudent"];
            /** @description The access, as it is some seconds after the event */
            enrollment: components["schemas"]["EventEnrollment"];
            /** @description The cohort that the student was in before; null: in none */
            previous_cohort: {
              /**
               * Format: uuid
               * @description Names the cohort
               */
              id: string;
              /** @description What the cohort was called at the move */
              name: string;
            } | null;
          };
        };
      };
    };
    responses: {
      /** @description The event is accepted. Any other answer, or none within 15 seconds, is a failure */
      "2XX": {
        content?: never;
      };
    };
  };
  "event.purchase.paid": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          id: components["schemas"]["EventId"];
          /**
           * @description What happened, and so what `data` looks like
           */
          type: "purchase.paid";
          occurred_at: components["schemas"]["EventOccurredAt"];
          club_id: components["schemas"]["EventClubId"];
          /** @description What the event is about, by the kind of thing. It may gain fields */
          data: {
            /** @description Whom the event is about, as they are some seconds after it */
            student: components["schemas"]["EventStudent"];
            /** @description The purchase, as it is some seconds after the event */
            purchase: components["schemas"]["EventPurchase"];
            /** @description What access the purchase, or its subscription, has given, oldest first; empty where it gave none */
            enrollments: components["schemas"]["EventEnrollment"][];
          };
        };
      };
    };
    responses: {
      /** @description The event is accepted. Any other answer, or none within 15 seconds, is a failure */
      "2XX": {
        content?: never;
      };
    };
  };
  "event.purchase.refunded": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          id: components["schemas"]["EventId"];
          /**
           * @description What happened, and so what `data` looks like
           */
          type: "purchase.refunded";
          occurred_at: components["schemas"]["EventOccurredAt"];
          club_id: components["schemas"]["EventClubId"];
          /** @description What the event is about, by the kind of thing. It may gain fields */
          data: {
            /** @description Whom the event is about, as they are some seconds after it */
            student: components["schemas"]["EventStudent"];
            /** @description The purchase, as it is some seconds after the event */
            purchase: components["schemas"]["EventPurchase"];
            /** @description What access the purchase, or its subscription, has given, oldest first; empty where it gave none */
            enrollments: components["schemas"]["EventEnrollment"][];
          };
        };
      };
    };
    responses: {
      /** @description The event is accepted. Any other answer, or none within 15 seconds, is a failure */
      "2XX": {
        content?: never;
      };
    };
  };
  "event.subscription.past_due": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          id: components["schemas"]["EventId"];
          /**
           * @description What happened, and so what `data` looks like
           */
          type: "subscription.past_due";
          occurred_at: components["schemas"]["EventOccurredAt"];
          club_id: components["schemas"]["EventClubId"];
          /** @description What the event is about, by the kind of thing. It may gain fields */
          data: {
            /** @description Whom the event is about, as they are some seconds after it */
            student: components["schemas"]["EventStudent"];
            /** @description The subscription, as it is some seconds after the event */
            subscription: components["schemas"]["EventSubscription"];
          };
        };
      };
    };
    responses: {
      /** @description The event is accepted. Any other answer, or none within 15 seconds, is a failure */
      "2XX": {
        content?: never;
      };
    };
  };
  "event.subscription.canceled": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          id: components["schemas"]["EventId"];
          /**
           * @description What happened, and so what `data` looks like
           */
          type: "subscription.canceled";
          occurred_at: components["schemas"]["EventOccurredAt"];
          club_id: components["schemas"]["EventClubId"];
          /** @description What the event is about, by the kind of thing. It may gain fields */
          data: {
            /** @description Whom the event is about, as they are some seconds after it */
            student: components["schemas"]["EventStudent"];
            /** @description The subscription, as it is some seconds after the event */
            subscription: components["schemas"]["EventSubscription"];
          };
        };
      };
    };
    responses: {
      /** @description The event is accepted. Any other answer, or none within 15 seconds, is a failure */
      "2XX": {
        content?: never;
      };
    };
  };
  "event.lesson.completed": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          id: components["schemas"]["EventId"];
          /**
           * @description What happened, and so what `data` looks like
           */
          type: "lesson.completed";
          occurred_at: components["schemas"]["EventOccurredAt"];
          club_id: components["schemas"]["EventClubId"];
          /** @description What the event is about, by the kind of thing. It may gain fields */
          data: {
            /** @description Whom the event is about, as they are some seconds after it */
            student: components["schemas"]["EventStudent"];
            /** @description The lesson that was completed */
            lesson: {
              /**
               * Format: uuid
               * @description Names the lesson
               */
              id: string;
              /** @description The short name of the lesson in addresses of the classroom */
              public_id: string;
              /** @description The title that students see */
              title: string;
            };
            /** @description The module that the lesson is in */
            module: {
              /**
               * Format: uuid
               * @description Names the module
               */
              id: string;
              /** @description The title that students see */
              title: string;
            };
            /** @description The course that the module is in */
            course: components["schemas"]["EventCourse"];
            /**
             * Format: date-time
             * @description When the student completed the lesson for the first time
             */
            completed_at: string;
          };
        };
      };
    };
    responses: {
      /** @description The event is accepted. Any other answer, or none within 15 seconds, is a failure */
      "2XX": {
        content?: never;
      };
    };
  };
  "event.course.completed": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          id: components["schemas"]["EventId"];
          /**
           * @description What happened, and so what `data` looks like
           */
          type: "course.completed";
          occurred_at: components["schemas"]["EventOccurredAt"];
          club_id: components["schemas"]["EventClubId"];
          /** @description What the event is about, by the kind of thing. It may gain fields */
          data: {
            /** @description Whom the event is about, as they are some seconds after it */
            student: components["schemas"]["EventStudent"];
            /** @description The course that was completed */
            course: components["schemas"]["EventCourse"];
            /**
             * Format: date-time
             * @description When the student finished the course for the first time
             */
            completed_at: string;
          };
        };
      };
    };
    responses: {
      /** @description The event is accepted. Any other answer, or none within 15 seconds, is a failure */
      "2XX": {
        content?: never;
      };
    };
  };
  "event.webhook.test": {
    parameters: {
    };
    requestBody: {
      content: {
        "application/json": {
          id: components["schemas"]["EventId"];
          /**
           * @description What happened, and so what `data` looks like
           */
          type: "webhook.test";
          occurred_at: components["schemas"]["EventOccurredAt"];
          club_id: components["schemas"]["EventClubId"];
          /** @description What the event is about, by the kind of thing. It may gain fields */
          data: {
            /** @description Says in one sentence that this is a test */
            message: string;
            /**
             * Format: uuid
             * @description The endpoint whose test button was pressed
             */
            endpoint_id: string;
          };
        };
      };
    };
    responses: {
      /** @description The event is accepted. Any other answer, or none within 15 seconds, is a failure */
      "2XX": {
        content?: never;
      };
    };
  };
}
