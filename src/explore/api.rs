//! Questions of the page and their answers.
//!
//! | question | answer |
//! |---|---|
//! | `/api/edition` | which reading of the files this is, and what is wrong with a newer one |
//! | `/api/model` | the model, where to start, how to start again from a shell |
//! | `/api/picture?width=W` | the model as SVG |
//! | `/api/at?path=P&at=N` | the steps of P; the N-th step in full; the snapshot after it; what can happen then |
//! | `/api/why?path=P&at=N&name=X` | what last happened to X up to there, and what it waits for |
//! | `/api/properties?path=P` | every property in the last snapshot of P |
//! | `/api/formula?path=P&text=F` | a typed formula there |
//! | `/api/alike?path=P` | per agent, other snapshots that look the same as the last one of P |

use super::edition::Heard;
use super::http::{Request, Response};
use super::{Explorer, Start, choices, known};
use crate::machine::{AgentIx, Snapshot};
use crate::picture;
use crate::trace::{RawRun, Replayed, Values, describe, path, replay};
use crate::view::{Cards, ModelView, Sight, StepView};
use serde::Serialize;

#[derive(Serialize)]
struct About<'e> {
    gsmc: &'static str,
    #[serde(flatten)]
    heard: Heard,
    model: ModelView,
    start: &'e Start,
    command: &'e str,
}

#[derive(Serialize)]
struct At {
    /// The path in its shortest form.
    path: String,
    at: usize,
    steps: Vec<Line>,
    before: Option<Values>,
    snapshot: Values,
    step: Option<StepView>,
    sights: Vec<Sight>,
    next: choices::Next,
}

/// A step in the list.
#[derive(Serialize)]
struct Line {
    title: String,
    path: String,
    agent: Option<String>,
    event: Option<String>,
    target: Option<String>,
    payload: Values,
    changes: usize,
    order: bool,
}

#[derive(Serialize)]
struct AllAlike {
    progress: known::Progress,
    agents: Vec<known::Alike>,
}

impl Explorer<'_> {
    pub(super) fn api(&self, request: &Request) -> Response {
        let answer = match request.path.as_str() {
            "/api/edition" => Ok(Response::json(200, &self.edition.heard())),
            "/api/model" => Ok(self.about()),
            "/api/picture" => Ok(self.picture(request)),
            "/api/at" => self.at(request),
            "/api/why" => self.why(request),
            "/api/properties" => self.last(request).map(|s| Response::json(200, &self.judge(&s))),
            // What is wrong with a formula is an answer too.
            "/api/formula" => Ok(match self.formula(request.get("text"), request.get("path")) {
                Ok(typed) => Response::json(200, &typed),
                Err(why) => Response::refuse(200, &why),
            }),
            "/api/alike" => self.last(request).map(|s| Response::json(200, &self.alike(&s))),
            _ => Err(Response::refuse(404, "there is nothing here")),
        };
        answer.unwrap_or_else(|refusal| refusal)
    }

    fn about(&self) -> Response {
        let (gsmc, model) = (env!("CARGO_PKG_VERSION"), self.viewer.model());
        Response::json(
            200,
            &About { gsmc, heard: self.edition.heard(), model, start: &self.start, command: &self.command },
        )
    }

    fn picture(&self, request: &Request) -> Response {
        let width = request.get("width").parse().unwrap_or(picture::SCREEN).clamp(picture::PHONE, 4 * picture::SCREEN);
        let drawn = self.lens.drawing(self.sources, width).unstyled();
        Response::new(200, "image/svg+xml; charset=utf-8", drawn)
    }

    /// Goes the path of a request.
    fn walk(&self, request: &Request) -> Result<Replayed, Response> {
        let interp = self.viewer.interp();
        let refuse = |why: String| Response::refuse(422, &why);
        let choices = path::read(interp, request.get("path")).map_err(|astray| refuse(astray.to_string()))?;
        replay(interp, &RawRun::of(choices)).map_err(|why| refuse(why.to_string()))
    }

    fn last(&self, request: &Request) -> Result<Snapshot, Response> {
        let run = self.walk(request)?;
        run.snapshots.into_iter().last().ok_or_else(|| Response::refuse(500, "a run without snapshots"))
    }

    fn why(&self, request: &Request) -> Result<Response, Response> {
        let (run, name) = (self.walk(request)?, request.get("name"));
        let at = place_on(&run, request)?;
        let choices: Vec<crate::interp::Choice> = run.steps.iter().map(|s| s.choice.clone()).collect();
        let explainer = self.viewer.explainer();
        let stands = run.snapshots.get(at).and_then(|here| explainer.stands(name, here));
        let happened = run.snapshots.get(..=at).and_then(|to| explainer.account(name, to, &choices));
        // Where nothing has happened, where it stands is all there is to say.
        let happened = happened.filter(|h| Some(h) != stands.as_ref());
        Ok(Response::json(200, &serde_json::json!({ "name": name, "happened": happened, "stands": stands })))
    }

    fn at(&self, request: &Request) -> Result<Response, Response> {
        let run = self.walk(request)?;
        let m = self.viewer.interp().machine();
        let at = place_on(&run, request)?;
        let before = at.checked_sub(1).and_then(|i| run.snapshots.get(i).zip(run.steps.get(i)));
        let Some(here) = run.snapshots.get(at) else { return Err(Response::refuse(500, "a run without snapshots")) };
        let line = |(step, before): (&crate::interp::Step, &Snapshot)| {
            let named = crate::trace::name_choice(m, &step.choice);
            Line {
                title: describe(m, &step.choice),
                path: path::write_step(m, &step.choice),
                agent: named.agent,
                event: named.event,
                target: named.target,
                payload: named.payload,
                changes: before.iter().zip(&step.after).filter(|(a, b)| a != b).count(),
                order: !step.order.is_empty(),
            }
        };
        Ok(Response::json(
            200,
            &At {
                path: path::write(m, run.steps.iter().map(|s| &s.choice)),
                at,
                steps: run.steps.iter().zip(&run.snapshots).map(line).collect(),
                before: before.map(|(codes, _)| self.viewer.snapshot(codes)),
                snapshot: self.viewer.snapshot(here),
                step: before.and_then(|(codes, step)| self.viewer.step(codes, &step.choice, Cards::All)),
                sights: self.viewer.sights(here),
                next: self.next(here),
            },
        ))
    }

    fn alike(&self, snapshot: &Snapshot) -> AllAlike {
        let agents = AgentIx::each(&self.viewer.interp().machine().agents).filter(|(_, a)| !a.sees_all);
        let alike = agents.filter_map(|(i, _)| self.known.alike(&self.viewer, i, snapshot));
        AllAlike { agents: alike.collect(), progress: self.known.progress() }
    }
}

/// Where on its path a request looks: at the end unless it says otherwise.
fn place_on(run: &Replayed, request: &Request) -> Result<usize, Response> {
    let whole = run.steps.len();
    match request.get("at") {
        "" => Ok(whole),
        number => {
            number.parse().ok().filter(|n| *n <= whole).ok_or_else(|| {
                Response::refuse(422, &format!("at is a number from 0 to {whole}, the length of the path"))
            })
        }
    }
}
