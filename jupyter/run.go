package jupyter

import "context"

// Run serves session on the sockets that connectionFile names, until ctx ends, a client asks for
// shutdown, SIGTERM comes, or the parent process (JPY_PARENT_PID) dies. It returns nil then, and an
// error when it could not begin: the file cannot be read, a port is taken.
//
// A cell that runs when the kernel ends is interrupted and not waited for: the caller should exit.
func Run(ctx context.Context, connectionFile string, session Session, opts Options) error {
	c, err := readConnection(connectionFile)
	if err != nil {
		return err
	}
	k, err := newKernel(c, session, opts)
	if err != nil {
		return err
	}
	if opts.Bound != nil {
		if err := opts.Bound(); err != nil {
			k.close()
			return err
		}
	}
	if !opts.NoSignals {
		defer k.watchSignals()()
	}
	go k.watchParent(k.ctx, connectionFile)
	return k.serve(ctx)
}
