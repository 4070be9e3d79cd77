/** The words of the pages in the story, and those of its people, in one language. */
interface StoryWords {
  readonly agent: Readonly<
    Record<"ask" | "field" | "left" | "page" | "question" | "rest" | "send" | "sources" | "start", string>
  >
  readonly areas: Readonly<Record<"community" | "help" | "home" | "more" | "ranking", string>>
  readonly community: Readonly<
    Record<"body" | "bodyField" | "general" | "publish" | "title" | "titleField" | "write", string>
  >
  readonly course: Readonly<Record<"begin" | "goOn" | "module" | "subtitle" | "text" | "title", string>>
  readonly discussion: Readonly<Record<"action" | "empty" | "field" | "own" | "remove" | "reply", string>>
  readonly enter: Readonly<Record<"again" | "byMail" | "code" | "email" | "goOn" | "signIn", string>>
  readonly lesson: Readonly<
    Record<"complete" | "completed" | "document" | "next" | "resumed" | "second" | "text" | "title" | "video", string>
  >
  readonly notices: Readonly<Record<"mentioned" | "new" | "title" | "unread", string>>
  readonly points: Readonly<Record<"first" | "lesson" | "level" | "quiz" | "reached", string>>
  readonly quiz: Readonly<Record<"next" | "passed" | "right" | "send" | "title" | "wrong", string>> & {
    readonly questions: readonly [string, string]
    readonly last: string
  }
  readonly support: Readonly<
    Record<
      "answer" | "ask" | "body" | "bodyField" | "field" | "label" | "send" | "staff" | "subject" | "subjectField",
      string
    >
  >
}

const portuguese: StoryWords = {
  agent: {
    ask: "Perguntar sobre esta aula",
    field: "Sua pergunta",
    left: "Restam 9 de 10 perguntas hoje",
    page: "página 3",
    question: "Quais dedos eu uso no dó maior?",
    rest: " de uma vez: indicador, médio e anelar.",
    send: "Enviar",
    sources: "Fontes",
    start: "Use **três dedos**"
  },
  areas: { community: "Comunidade", help: "Ajuda", home: "Início", more: "Mais", ranking: "Pontos" },
  community: {
    body: "Duas semanas de treino e a troca **enfim** saiu limpa.",
    bodyField: "Texto",
    general: "Geral",
    publish: "Publicar",
    title: "Minha primeira troca de acordes",
    titleField: "Título (opcional)",
    write: "Escrever um post"
  },
  course: {
    begin: "Começar o curso",
    goOn: "Continuar",
    module: "Os primeiros acordes",
    subtitle: "Da primeira corda à primeira música",
    text: "Em **quatro semanas** você toca a primeira música inteira.\n\n- Sem partitura\n- No seu ritmo",
    title: "Violão do Zero"
  },
  discussion: {
    action: "Comentar",
    empty: "Ainda não há comentários",
    field: "Seu comentário",
    own: "o dó maior saiu hoje!",
    remove: "Excluir",
    reply: "Que ótimo! Agora tente devagar, com o metrônomo."
  },
  enter: {
    again: "Sua sessão terminou",
    byMail: "Receber um código por e-mail",
    code: "Código do e-mail",
    email: "E-mail",
    goOn: "Continuar",
    signIn: "Entrar"
  },
  lesson: {
    complete: "Concluir aula",
    completed: "Aula concluída",
    document: "Apostila de acordes.pdf",
    next: "Próxima aula",
    resumed: "Continuando de 0:40.",
    second: "A primeira troca",
    text: "Apoie o violão na perna e **solte o ombro**.\n\n## Antes de apertar\n\n1. Dedos curvos\n2. Polegar atrás",
    title: "O primeiro acorde",
    video: "O dó maior sem dor"
  },
  notices: {
    new: "Novos",
    mentioned: "mencionou você em",
    title: "Avisos",
    unread: "Avisos, 1 não lido"
  },
  points: {
    first: "Iniciante",
    lesson: "+10 pontos",
    level: "Aprendiz",
    quiz: "+20 pontos",
    reached: "Você chegou ao nível Aprendiz!"
  },
  quiz: {
    last: "Devagar",
    next: "Próxima",
    passed: "Você passou",
    questions: ["Quantos dedos usa o dó maior?", "Como se começa a troca?"],
    right: "Três",
    send: "Enviar respostas",
    title: "Pegou o acorde?",
    wrong: "Nenhum"
  },
  support: {
    answer: "Recarregue a página e me conte se voltou.",
    ask: "Pedir ajuda",
    body: "O som some no meio da primeira aula.",
    bodyField: "Sua pergunta",
    field: "Sua mensagem",
    label: "Você escreveu:",
    send: "Enviar",
    staff: "Voltou, muito obrigada!",
    subject: "O vídeo está sem som",
    subjectField: "Qual é o assunto?"
  }
}

const english: StoryWords = {
  agent: {
    ask: "Ask about this lesson",
    field: "Your question",
    left: "9 of 10 questions left today",
    page: "page 3",
    question: "Which fingers do I use for C major?",
    rest: " at once: index, middle and ring.",
    send: "Send",
    sources: "Sources",
    start: "Use **three fingers**"
  },
  areas: { community: "Community", help: "Help", home: "Home", more: "More", ranking: "Points" },
  community: {
    body: "Two weeks of practice, and the change **finally** sounds clean.",
    bodyField: "Text",
    general: "General",
    publish: "Publish",
    title: "My first change of chords",
    titleField: "Title (optional)",
    write: "Write a post"
  },
  course: {
    begin: "Start course",
    goOn: "Continue",
    module: "The first chords",
    subtitle: "From the first string to the first song",
    text: "In **four weeks** you play your first whole song.\n\n- Without sheet music\n- At your own pace",
    title: "Guitar from scratch"
  },
  discussion: {
    action: "Comment",
    empty: "No comments yet",
    field: "Your comment",
    own: "C major worked today!",
    remove: "Delete",
    reply: "Great! Now try it slowly, with the metronome."
  },
  enter: {
    again: "Your session has ended",
    byMail: "Get a code by mail",
    code: "Code from the mail",
    email: "E-mail",
    goOn: "Continue",
    signIn: "Sign in"
  },
  lesson: {
    complete: "Complete lesson",
    completed: "Lesson completed",
    document: "Book of chords.pdf",
    next: "Next lesson",
    resumed: "You go on from 0:40.",
    second: "The first change",
    text: "Rest the guitar on your leg and **relax**.\n\n## Before you press\n\n1. Curved fingers\n2. Thumb behind",
    title: "The first chord",
    video: "C major without pain"
  },
  notices: { new: "New", mentioned: "mentioned you in", title: "Notifications", unread: "Notifications, 1 unread" },
  points: {
    first: "Beginner",
    lesson: "+10 points",
    level: "Learner",
    quiz: "+20 points",
    reached: "You have reached the level Learner!"
  },
  quiz: {
    last: "Slowly",
    next: "Next",
    passed: "You passed",
    questions: ["How many fingers does C major use?", "How does a change begin?"],
    right: "Three",
    send: "Send answers",
    title: "Got the chord?",
    wrong: "Not one"
  },
  support: {
    answer: "Load the page again, and tell me if it is back.",
    ask: "Ask for help",
    body: "The sound is gone in the middle of the first lesson.",
    bodyField: "Your question",
    field: "Your message",
    label: "You wrote:",
    send: "Send",
    staff: "It is back, thank you!",
    subject: "The video has no sound",
    subjectField: "What is it about?"
  }
}

/** The words of the story by the club's language. */
export const storyWords = { "pt-BR": portuguese, en: english } as const
