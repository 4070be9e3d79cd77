import { spoken } from "../../browser/client/Language.ts"

/** The words of the sign-in. */
export const words = spoken(
  {
    again: "Your session has ended",
    againText: "Sign in again to go on where you are. Your text is still here.",
    asked: "If this address is enrolled here, a mail is on its way.",
    askedText: "Open its link in this browser, or enter its code here.",
    code: "Code from the mail",
    email: "E-mail",
    enter: "Sign in",
    forgot: "Forgot your password?",
    goOn: "Continue",
    intro: "Enter the e-mail address that you bought or signed up with.",
    mail: "Get a code by mail",
    mailAgain: "Send another mail",
    mailText: "No password needed: the mail has a link and a code.",
    notThere: "No mail after a minute? Check your spam folder.",
    other: "Change",
    password: "Password",
    sent: "Another mail is on its way",
    signUp: "Create an account",
    title: "Sign in",
    withPassword: "Use my password"
  },
  {
    again: "Sua sessão terminou",
    againText: "Entre de novo para continuar de onde parou. O que você digitou continua aqui.",
    asked: "Se este endereço tem acesso aqui, um e-mail está a caminho.",
    askedText: "Abra o link neste navegador ou digite o código aqui.",
    code: "Código do e-mail",
    email: "E-mail",
    enter: "Entrar",
    forgot: "Esqueceu a senha?",
    goOn: "Continuar",
    intro: "Informe o e-mail que você usou na compra ou no cadastro.",
    mail: "Receber um código por e-mail",
    mailAgain: "Enviar outro e-mail",
    mailText: "Sem senha: o e-mail traz um link e um código.",
    notThere: "Não chegou em um minuto? Veja na caixa de spam.",
    other: "Trocar",
    password: "Senha",
    sent: "Outro e-mail está a caminho",
    signUp: "Criar uma conta",
    title: "Entrar",
    withPassword: "Entrar com senha"
  }
)
